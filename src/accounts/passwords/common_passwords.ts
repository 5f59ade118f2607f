/** Common German and English passwords, which are refused. */
const WORDS = `
password passwort passw0rd kennwort geheimnis geheim secret topsecret login logmein signin
welcome willkommen hallo hello hallohallo hellohello letmein letmeinnow openup opensesame
sesame iloveyou iloveu ichliebedich liebe schatz schatzi mausi engel angel princess
prinzessin prinz sunshine sonnenschein sonne mond sterne star starwars startrek superman
batman spiderman pokemon dragon drache monkey affe tiger löwe panther master meister boss
chef admin administrator adminadmin administration root rootroot superuser superadmin
sysadmin system server user username benutzer benutzername gast guest guestguest test tester
testtest testing testpassword testpasswort testuser demo demodemo default changeme
changemenow changeit pleasechange aendermich ändermich temp temporary tempass temppassword
initial startpassword startpasswort start anfang internet computer rechner laptop windows
microsoft google facebook instagram youtube amazon apple samsung iphone android linux ubuntu
debian oracle database datenbank mysql postgres postgresql mongodb redis kubernetes docker
github gitlab bitcoin football fussball fußball soccer baseball basketball handball tennis
hockey bayern bayernmünchen bayernmuenchen fcbayern schalke schalke04 borussia dortmund
borussiadortmund hamburg hamburgersv werder werderbremen bremen leverkusen eintracht
frankfurt eintrachtfrankfurt stuttgart vfbstuttgart köln koeln fckoeln herthabsc berlin
münchen muenchen deutschland germany austria österreich oesterreich schweiz switzerland
europa europe america england london paris sommer summer winter frühling fruehling spring
herbst autumn januar februar märz maerz april juni juli august september oktober november
dezember january february march october december montag dienstag mittwoch donnerstag freitag
samstag sonntag monday tuesday wednesday thursday friday saturday sunday weihnachten
christmas ostern easter silvester geburtstag birthday happybirthday urlaub ferien holiday
vacation michael thomas andreas stefan stephan christian alexander daniel sebastian matthias
markus martin peter wolfgang jürgen juergen klaus uwe frank ralf bernd dieter manfred helmut
günter guenter sabine susanne petra monika claudia nicole stefanie stephanie melanie sandra
andrea angelika brigitte katharina christina christine julia jessica jennifer ashley amanda
joshua jordan robert william charlie george harley maximilian benjamin jonathan nicholas
elizabeth samantha victoria hannah sophie marie anna laura lena mercedes porsche volkswagen
bmw audi ferrari mustang corvette yamaha harleydavidson motorrad schokolade chocolate kaffee
coffee bananas banane cookie butterfly schmetterling flower blume blumen rose freedom
freiheit freunde friends friendship freundschaft family familie mama papa mutter vater
mother father baby babygirl babyboy lovely lover loveme lovelove forever forevermore fuckyou
fuckyou2 fuckoff asshole arschloch scheisse scheiße hurensohn ficken whatever nothing nichts
trustno1 trustnoone jesus jesuschrist jesuschristus godisgood blessed hallelujah matrix
shadow hunter killer ninja samurai warrior wizard merlin gandalf phoenix thunder lightning
liverpool arsenal chelsea manchester manchesterunited barcelona realmadrid juventus
metallica nirvana slipknot linkinpark rammstein eminem michaeljackson qwerty qwertz
qwertyuiop qwertzuiop qwerty123456 asdfgh asdfghjkl yxcvbnm zxcvbnm qazwsx qazwsxedc qaywsx
qaywsxedc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc q1w2e3r4t5y6 zaq12wsx zaq1zaq1
zaq1xsw2cde3 1qazxsw23edc !qaz2wsx3edc qwer1234qwer asdf1234asdf abc123abc123 abcd1234abcd
a1b2c3d4e5 a1b2c3d4e5f6 aa12345678 1234qwerasdf 123qweasdzxc 123qwe123qwe qwe123qwe123
1password1 password1password passwordpassword passwortpasswort mypassword meinpasswort
meinkennwort deinpasswort yourpassword newpassword neuespasswort oldpassword nopassword
keinpasswort strongpassword sicherespasswort goodpassword securepassword secretpassword
geheimespasswort thepassword password1234 1234password passwort1234 1234passwort
dasistgeheim dasistmeinpasswort thisismypassword ihavenopassword correcthorsebatterystaple
correct-horse-battery-staple letmeinplease pleaseletmein abcdefghij abcdefghijk abcdefghijkl
0123456789 1234567890 12345678910 123456789a 123456789abc 987654321a 0987654321 1111111111
0000000000 1122334455 1212121212 1231231231 123123123123 112233445566 147258369 1472583690
741852963 7894561230 789456123 159753456852 159357456852 3141592653 31415926535 2718281828
unternehmen firma büro buero company business office manager verkauf vertrieb einkauf sales
marketing buchhaltung lager shop onlineshop webshop händler haendler retail preise price
prices pricing kurant
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...WORDS.trim().split(/\s+/),
  "correct horse battery staple",
]);
