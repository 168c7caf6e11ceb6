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
  lord rings super bowl world cup corp inc llc ltd gmbh plc company group hotel airport station mall bank museum
  restaurant cafe café bar store shop bridge river lake mountain island beach valley county city square plaza theatre
  theater cinema stadium library clinic institute academy foundation association festival airlines café pokémon zürich
  köln münchen málaga montréal québec são côte crème déjà über résumé fiancé fiancée naïve cliché éclair nestlé beyoncé
  chardonnay rosé cancún bogotá medellín perú méxico brasília düsseldorf nürnberg österreich türkiye champs-élysées
  citroën škoda häagen señor señora château hôtel café's
  """)
/// Words after which one capitalised word is a person.
let beforeEnglishName = Words(
  "told asked texted called phoned emailed messaged named married dating hugged kissed thanked blamed forgave tell ask marry forgive"
)
/// Who a name is told of: after one of these a first name is one in lower case as well.
let englishRelations = Words(
  """
  friend friends boyfriend girlfriend husband wife sister sisters brother brothers son sons daughter daughters cousin
  cousins boss coworker coworkers colleague colleagues roommate roommates neighbor neighbors neighbour neighbours partner
  flatmate housemate manager supervisor teacher nephew niece fiance fiancee fiancé fiancée ex bestie buddy classmate
  mother mom mum father dad stepmom stepdad stepmother stepfather stepsister stepbrother stepson stepdaughter
  grandmother grandfather grandson granddaughter aunt uncle therapist landlord landlady twin kids
  """)
/// First names of other languages, with a capital: none of them is a word of an English sentence.
let internationalNames = Words(
  """
  raj priyanka anjali ananya arjun aditya akash amit ankit anil anita anushka arun ashok deepak deepika divya gaurav
  harish isha jaya karan kavita kavya kiran krishna lakshmi manish meera mohan mukesh nandini neha nikhil nisha pooja
  prakash pranav prashant preeti rajesh rakesh ramesh ravi ritu rohan rohit sachin sandeep sanjay sanjana shreya shruti
  siddharth simran sneha sunil sunita suresh swati tanvi uday varun vijay vikram vinay vishal vivek yash zara ahmed ahmad
  abdul abdullah adnan ahsan amina amira anwar asma ayesha aziz bilal dalia dina faisal farah farid farhan fatma habib
  hadi hana hamza hasan hassan hussain hussein iman imran ismail jamal jamila kamal karim khadija khalid laila latifa
  mahmoud mansour mariam maryam mehdi mustafa nabil nadir nasser noor nour omer osama rania rashid rasha reem saad sadia
  salim salma samir samira sana sara shadi sami tahir tariq umar usman waleed yasmine yasin yousef youssef yusra zainab
  zahra ziad kwame kofi ama abena akosua ebo emeka chidi chika chinedu chioma adaeze ngozi obinna ifeoma nkechi uche
  tunde bola femi kemi sade segun wale yemi funmi amara zola thabo sipho themba lerato naledi nomsa thandi sizwe jabari
  imani juma makena wanjiru njeri kamau otieno achieng amadou fatou mamadou moussa ousmane awa aliou binta giulia
  giuseppe giovanni matteo alessandro lorenzo francesco federico riccardo simone chiara elisa martina paolo pietro
  stefano valentina vincenzo silvia ilaria enzo gianni luigi hans fritz heinrich wolfgang klaus dieter jurgen günter
  horst helmut uwe jens lars sven anke heike katja katharina birgit monika petra sabine ute ulrike anneliese greta
  liesl matthias stefan florian lukas jonas niklas tobias johannes andreas bastian annika astrid bjorn elin freja gunnar
  ingrid johan kirsten knut magnus mikael nils oskar saga sigrid solveig soren thor ulf viggo aino eero jukka mika pekka
  timo agnieszka andrzej bartek ewa grzegorz jakub kasia katarzyna krzysztof magda malgorzata marek mateusz pawel piotr
  tomasz wojciech zofia aleksandra aleksander alexei alexey anastasia boris dmitry ekaterina evgeny fyodor galina igor
  irina katya ksenia larisa lyudmila maksim mikhail misha natasha nikita nikolai oksana oleg pavel sergei sergey svetlana
  tatiana vadim valentin vasily viktor vladimir yana yekaterina yelena yulia yuri zhenya alejo alvaro beatriz camilo
  catalina cristina esteban felipe gonzalo guillermo ignacio isabela joaquin julio leticia lucho luz manolo marisol
  mauricio mercedes nicolas pablo paloma paola pilar rocio rodrigo rosario santiago sebastian soledad teresa tomas ximena
  yadira joao thiago caio gustavo henrique leandro luana mariana renata vinicius antoine aurelie baptiste benoit camille
  celine clement delphine etienne fabien francois gaelle gaston genevieve guillaume hugo jacques jean-luc laurent lucie
  ludovic maelle manon mathieu maxime nadine odile olivier pascal philippe quentin romain sandrine solene sylvain sylvie
  theo thibault thierry veronique yannick yves akira asuka ayaka ayumi chihiro daichi daiki daisuke emiko fumiko hana
  hanako haruka haruto hideki hinata hiro hiroki hitomi itsuki jiro junko kaito kana kaori kazuki kazuko keisuke kenta
  kentaro kiko kouji kumiko makoto mariko masako masato mayumi megumi michiko minako misaki mitsuki miyuki nanami
  natsuki natsumi noriko riko rina ryo ryota sachiko sakura sayaka shinji shiori shota sora taiki takumi takuya taro
  tomoko yui yuji yukiko yumi yumiko yusuke chao chen fang feng guang hao hui jian jianhong jing jun lan lei lijuan
  lihua lina lingling meiling min ning peng ping qiang qing rong rui shan ting weiwei xiao xiaoyu xiaohong xin xiu xue
  yan yang yifan ying yong yuan yue yun zhen zhi zhiyuan zihan eunji eunju haeun hyejin hyun hyunjin jaehyun jimin jina
  jinwoo jisoo jiwoo joon junho kyung kyungsoo minho minji minjae sangwoo seojin seoyeon seoyun seung seungmin soojin
  sooyoung subin sujin sunghoon taehyung yejin yeonjun yeji youngho yujin duc duy hieu hoang huong khanh lan linh long
  minh ngoc nguyet nhi phuong quang quoc quyen thao thanh thi thu thuy trang trung tuan tuyet van viet agus ayu budi
  dewi indah joko putri rizky siti sri wayan achara anong chai kanya malee niran nong ploy somchai suda dilip gita hari
  sita avi dov eitan eyal gal gili hadas itai moshe noa nir ofer omri ori ronen shira shlomo tal tamar yael yaakov
  yitzhak yonatan zev ciara aoife caoimhe siobhan saoirse niamh sinead oisin padraig eoghan cormac declan fergus
  callum hamish ewan eilidh mairi rhys gareth gwyneth carys dafydd angus alistair nigel clive graham trevor rupert
  imogen jemima poppy tamsin gemma kylie darcy keisha latisha tyrone jamal darnell tyrell deshawn shaniqua aaliyah
  nevaeh kaylee kaylin brayden aiden jayden hayden kaden braden landon colton bentley easton weston emmett everett
  theodora clementine beatrix marigold cordelia ophelia octavia anastasia persephone evangeline genevieve seraphina
  """)
/// In this list, short ones that are words, places or surnames too: only where the words beside them tell of a person.
let doubtfulInternationalNames = Words(
  "zara isha kana petra ama awa hui long min thi thu van chao lan ping ting ning gal tal ori nong chai sri hari long saga mercedes santiago rosario san yang ying yuan yong chen noor sana thor theo poppy weston easton bentley landon hayden darcy marigold clementine clement magnus trang hang luz pilar nour zola kiko hiro taro sora sakura chihiro akira hana lei shan fang feng hao jing jun lina peng qing rui xin xue yan yue yun zhen zhi xiao krishna lakshmi thi linh ping simone valentin pascal maxime clive rupert angus hugo viet juma ming misha imani iman amara trevor solange romain viktor"
)
/// Names that are nouns, and so names in lower case as well after "my friend".
let nounNames = Words(
  "grace faith joy lily daisy ivy ruby pearl amber ginger carol holly jack nick ray jay lee max carter iris jasmine olive robin violet sandy josie kit jan jean jen dan deb hal riley quinn harper finn logan aria levi ezra jordan austin hazel sadie savannah sydney victoria georgia chelsea florence"
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
