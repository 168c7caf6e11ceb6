// What English names are made of, and what only looks like one.

/// First names that are no words, in any case.
let firstNames = Words(
  """
  aaron abby abigail adam adrian adriana agnes aidan aisha alan albert alejandra alejandro alex alexa alexander
  alexandra alexis alfred ali alice alicia alison allison alyssa amanda amelia amir amy ana andre andrea andrew andy
  angela angelica angie anita ann anna anne annette annie anthony antonio ariana arthur ashley audrey barbara barry
  beatrice becky ben benjamin bernard beth bethany betty beverly bianca bob bobby bonnie brad bradley brandon brenda
  brian brianna bridget brittany bruce bryan caitlin caleb calvin cameron camila carla carlos carmen caroline carolyn
  carrie catherine cathy cecilia charlene charles charlie charlotte cheryl chloe chris christina christine christopher
  cindy claire clara clarissa claudia colin colleen connor corey courtney craig cynthia daniel daniela danielle danny
  darlene darren dave david debbie deborah debra denise dennis derek diana diane diego dmitri dominic donald donna doris
  dorothy doug douglas dylan ed eddie edgar edith eduardo edward edwin eileen elaine eleanor elena eli elijah elizabeth
  ella ellen ellie elsa emily emma eric erica erik erika erin esther ethan eugene eva evan evelyn fatima felicia felix
  fernando fiona francesca francis frederick gabriel gabriela gabrielle gail gary geoffrey george gerald geraldine gina
  gladys glenn gloria gordon greg gregory greta gwen hannah harold harriet harry heather hector heidi helen henry
  herbert howard hugh ian ibrahim ingrid irene isaac isabel isabella isaiah ivan jackie jackson jacob jacqueline jake
  james jamie jan jane janet janice jared jasmin jason javier jeanette jeff jeffrey jenna jennifer jenny jeremy jerome
  jerry jesse jessica jill jim jimmy jo joan joanna joanne jocelyn jodi joe joel johanna john johnny jon jonathan jorge
  jose joseph josephine josh joshua joyce juan juanita judith judy julia julian juliana julie juliet justin kaitlyn kara
  karen karl karla kate katherine kathleen kathryn kathy katie katrina kayla keith kelly kelsey ken kenneth kerry kevin
  kim kimberly kirk kristen kristin kristina kristy kyle lara larry latoya laura lauren laurie leah leila lena leo leon
  leonard leslie lewis liam lillian linda lindsay lindsey lisa lois lola loretta lori lorraine louis louise luca lucas
  lucia lucy luis luke lydia lynn mackenzie madeline madison maggie malik manuel marcia marco marcus margaret maria
  mariah marian marie marilyn mario marion marjorie marlene martha martin marvin mary mateo matt matthew maureen maurice
  mei melanie melinda melissa mia michael michaela michele michelle miguel mike mildred mindy miranda miriam mohamed
  mohammed molly monica morgan muhammad muriel myra nadia nancy naomi natalia natalie natasha nathan nathaniel neil
  nicholas nicole nikki nina noah noel nora norma olga oliver olivia omar oscar pablo pamela patricia paula pauline
  pedro peggy penelope peter phil philip phillip phoebe phyllis priya rachel rafael rahul ralph ramon randall raquel
  raymond rebecca regina rene renee rhonda ricardo richard rick ricky rita robert roberta roberto rodney roger roland
  roman ronald ronnie rosa rosalie rosemary roxanne russell ruth ryan sabrina sally sam samantha samuel sandra sara
  sarah sasha scott sean sergio seth shane shannon sharon shaun shawn sheila shelby sheri sherry shirley sierra simon
  sofia sonia sophia sophie stacey stacy stanley stella stephanie stephen steve steven stuart susan suzanne sylvia
  tabitha tamara tammy tanya tara teresa terri terry theodore theresa thomas tiffany tim timothy tina todd tom tommy
  toni tony tracy travis trevor tricia tyler valerie vanessa vera veronica vicki vicky victor vincent vivian walter
  wanda warren wayne wendy wesley whitney william willie wyatt xavier yasmin yolanda yusuf yvonne zachary zoe zoey
  jun-ho minji minsu jess liz kat cass nate zach zack ollie archie freddie theo millie gracie nell meg mel steph gabe jonny dani tori kai izzy josé sofía chloé renée andré jürgen søren lucía maría jesús inés noémie élodie björn håkan jiyoung jihoon jiwon minjun seojun hyunwoo yuna yuki haruki kenji takashi hiroshi akiko naoko keiko
  yoko satoshi xiaoming wei ming
  """)
/// Names that are words, or places, or months: only with a capital, and where they do not begin a sentence.
let wordNames = Words(
  """
  mark grace will bill faith joy rose frank drew pat sue dean rob lily daisy ivy ruby pearl crystal amber ginger dawn
  carol holly jack nick ray jay lee max miles mason carter hunter cooper parker taylor chase guy gene art rich iris
  jasmine violet olive robin gavin cole wade glen cliff clay reed grant lance dale kent norm peg penny patience hope
  nova sky skylar blake brook brooke chip chuck colt dirk don duke earl ernest gus hank heath jade jan jean jen jewel
  josie june kit kitty laurel marina melody mercy misty myrtle otto pierce randy rex ron rusty sandy sage stew ted trent
  tucker van vance vic wally woody harper avery riley quinn rowan finn logan ash aria piper sadie hazel levi ezra jordan
  austin dan deb den hal kay lane may april august summer autumn brooklyn christian angel savannah sydney victoria
  virginia georgia chelsea paris dallas florence charity chance
  """)
/// Of these those that a capital alone does not make a name of.
let doubtfulNames = Words(
  """
  may april june august summer autumn brooklyn christian angel savannah sydney victoria virginia georgia chelsea paris
  dallas florence jordan austin chance hope sky art don van jean will
  """)
/// Listed names that are words: they need their capital.
let wordsThatMayBeListed = Words(
  """
  mark grace will bill faith joy rose frank drew pat sue dean rob lily daisy ivy ruby pearl crystal amber ginger dawn
  carol holly jack nick ray jay lee max miles mason carter hunter cooper parker taylor chase guy gene art rich iris
  jasmine violet olive robin cole wade glen cliff clay reed grant lance dale kent norm peg penny patience hope nova sky
  blake brook chip chuck colt duke earl ernest heath jade jan jean jewel june kit kitty laurel marina melody mercy misty
  myrtle pierce randy rusty sandy sage stew tucker van woody harper rowan ash aria piper hazel may april august summer
  autumn angel christian charity chance park young song moon sun long short king knight baker cook fisher hill wood
  woods stone field fields banks rivers brooks bush bishop page price rice bell bird fox wolf lamb swan drake may day
  love good best sharp strong swift wise sweet small little white black brown green gray grey gold silver mason smith
  potter taylor weaver sawyer major marshall case lane street ford bridge waters winter spring snow frost rain storm
  star bear honey sugar baby bunny buddy champ prince princess queen kim an so no do ha oh you joo min in on go he she
  it we me us him her my our not and the a i be is am are was were has had can could would should shall might must to of
  at by for from with as but or if then than that this there here when where who what why how all any some one two three
  ten mom dad sister brother
  """)
let englishTitles = Words(
  "mr mrs ms miss mx dr prof professor aunt auntie uncle pastor rev reverend coach judge officer captain sergeant principal sir madam father sister brother rabbi imam nurse detective lieutenant grandma grandpa nana"
)
let titlesWithoutDot = Words("mr mrs ms dr prof rev")
/// Capitalised words that are nobody's name.
let noEnglishNames = Words(
  """
  i i'm monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
  september october november december christmas easter thanksgiving halloween ramadan eid diwali hanukkah new year eve
  day english spanish french german chinese japanese korean american british italian indian mexican canadian african
  european asian god jesus bible mom mum mommy dad daddy mama papa mother father grandma grandpa nana aunt uncle sister
  brother honey babe north south east west united states kingdom america canada england london paris tokyo seoul beijing
  york los angeles san francisco santa new las vegas chicago boston texas california florida europe asia africa google
  apple amazon facebook instagram netflix youtube uber zoom slack teams microsoft whatsapp tiktok twitter discord
  spotify costco walmart target starbucks ikea happy merry good dear hi hello hey the a an and but or so if when then my
  your his her our their this that these those it he she we they you what why how who where please thanks thank sorry
  yes no ok okay well now today tomorrow yesterday maybe just also because since after before while although though love
  high school university college park street avenue road hospital church team project manager director covid pto hr pm
  am tv usa uk nvc ps not never always every all some one two first last next until once mr mrs ms dr am is are was were
  do did does don't can could would will should let's let there here as at by for from in of on to with without about
  like really very too even only still again everyone everybody someone somebody nobody anyone siri alexa game star wars
  lord rings super bowl world cup
  """)
/// Words after which one capitalised word is a person.
let beforeEnglishName = Words(
  "told asked texted called phoned emailed messaged named married dating friend boyfriend girlfriend husband wife sister brother son daughter cousin boss coworker colleague roommate neighbor neighbour partner flatmate manager teacher nephew niece fiance fiancee ex"
)
/// Words that after one capitalised word, not at the beginning, make it a person.
let afterEnglishName = Words("said told asked texted yelled shouted laughed cried apologized apologised replied")
/// What a sentence that begins with a name that is a word goes on with.
let afterWordName = Words(
  "said told was has had did didn and never kept came went forgot left called texted yelled laughed got made took who just always asked wasn hasn hadn refused promised knew says thinks thought"
)

let englishKin = Words(
  """
  mom mum mommy mummy mother mama dad daddy father papa pa ma son daughter brother sister bro sis grandma grandpa granny
  grandmother grandfather aunt auntie uncle cousin wife husband honey babe baby love dear darling dearest sweetheart
  sweetie my you friend friends buddy boss everyone all partner roommate neighbor neighbour mate hun hubby sir madam hi
  hello hey to the our beloved best old big little in law and team folks guys
  """)
