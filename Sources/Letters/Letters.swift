// Letters
