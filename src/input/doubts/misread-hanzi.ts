/** Pure. Recognizes Chinese in UTF-8 that was read as GBK: other characters come out, most of which nobody writes. */

/** What the most frequent characters become, as far as neither Chinese nor Japanese texts of today have it. */
const unwritten: string = joined(`
锛銆鈥紵紝鍙鍏鍗鍒鍦鏉鎴閬鏂鐢鍐閫鏁鏇鍑閮鐩熶熷熸熺熻熼燂熴夊夋夌夎夐夛夈涗涘涚涢涳涖佷佸佹佽侀侊傛傜傝傞傦樻樼樿橀鏄鎵
鐒鐜鏋濅濆濇濈濊濋濓濄闃闄鍕屼屽屾岀岃岄岋屻氭氱氶氥堜堟堢堣堥堬堛滀滃滆滈滐溿鑳鍘鐪鍓鎶鐭闂鍖湡鐧鐣闅鍝钀鑻铏鐖鍫闁閷嬩
嬫嬭嬮嬶嬨嶅嶆嶈嶉嶏嶃囦囧囨囩囬囷囥欎欏欑欒欓欙欍鐨湪粬埌兘綋湅叾鐞墠鎯姏闀皯槑鐐偣鐗簲垬鏀浉瓑埗暀珛皵洿祫鍩惉櫧帇鑹紶
鎷垏瘑浘鑺鑸閽瓟叞鍧潗瘝閿鏌儹閰鍌晱鏅鑱鎿嗕嗗嗘嗙嗛嗭嗐忎忓忔忕忚忛忥忋撴撶撱炰炲炴炵炶烇炪戜戝戞戠戣戙庝庡庢庣庤庨庯庛
椾楀楁楃楄楅楋椼勪勫勬勭勮勯勶勩婂婃婄婅婇婏娿犱犲犳犵犺犻狅犮愪愬愭愮愯愰愶愩冧冩冭冮冿冦呬呭呮呯呰呴咃呫斾斿旀旂旇旈旓
斻栦栧栨栫栬栭栵栥曚曞曟曡曢曪曘殑竴槸笉湁垜繖潵笂鍜拰浗湴椂嚭彲篃綘敓瓙偅緱簬潃笅嚜箣彂悗綔噷敤亾墍劧簨垚柟粡箞幓硶悓幇
姩畾垎繘皬儴簺牱悊湰紑絾洜彧粠兂疄棩棤笌妸崄叕儏煡叏笁叧笟皢棿敱棶緢渶墿悜枃埄粈簩垨灉姞柉湀瘽悎洖壒唴寲粰笘綅棬厛鍎笢鎻
彁瘮憳悕箟悇叆嚑彛埆彉洓綍暟畨姤粨弽洰啀劅姟仛鎺帴繀懡噾鎸寚厠粺尯嚦槦喅睍徃熀溂潪垯嵈晫厜斁嵆儚毦笖潈畬崡搧綇憡眰鎹嵁寳
竾彇媺牸湜湳笀竻粖櫌簤瑧叓繎繛棭惤粦潚钃姳崏鐏伀煶埞埧挶崠厓崈惃崌嫢嚱泦厖懆鍨瀭鑵爣崟皟伓垪巼殢潎暣櫎箻箓粷櫄敟煴悆彴簳
枩埅窛弻姛祦樆鐑吀洂礌粏仐煋懠惛铔泲嫨垽柇敊摢畻瀽瘯槄枡彞珷惈潕檲潹惔緪瓩儭湵灄儜鍞攼啹钁懀惂浌倱倕矆悤嫃崲钂拫钄竵瓘钖
枦彾綐潨埓挓敯寖鐔唺檰儩磾偙睙彶偟瓱緳姵嫳磱媷壋澃稕秴湠垰崕帀槬鐕嚂箯畤箮煟剦搲箖惥睗晠洊矀嬁帿殕姽悰湥粊櫤繝瓭瘲槗爞叺
崚偤檪皪渻緦亷櫦稉鐝暥矑嫊倓枊緸皣叐枔鍟噳珨杸澅伈檿獚埦畩浕暩牨祼嫏牬硣殜墖伣嵒仈洠摎倞牁偝畵瓨皫埈亱粸洐鍠柈洔湒窔湏搰
尟獮笡剾湌仩尪嚌閶嫾惖閵妧矟掍掑掓掔掕掗掞掋
`);

/** What they become too, and what texts have now and then. */
const rare: string = joined(`
棰璇浠璁杩灏浣瀹绉缁姹瀵骞蹇姝甯椤娴绲瑷浼褰绗绔绠杈绾璐纰楂缇琚绛娆娲绀绌璺绫绋妗纾濞韬瑗绯绁椹纭娈妫婧绂绱濉缈缃榄瓒宀
缍杌姗绺绶澶鍚涓鏈涔寰瀛濡
`);

/** A text without any of these has no such character. */
export const hanziSigns = `${unwritten}€`;

/** The euro sign is what GBK makes of the byte 0x80, which ends many characters. */
const sign = new RegExp(`[${unwritten}]|[${rare}]€`, 'u');
const mark = new RegExp(`[${unwritten}${rare}]€?`, 'gu');
const han = /\p{Script=Han}/gu;

function joined(lines: string): string {
  return lines.replace(/\s+/g, '');
}

/** True for a text whose Chinese is mostly such characters; one alone may be an entry of a dictionary. */
export function isMisreadHanzi(text: string): boolean {
  if (!sign.test(text)) return false;
  const marks = [...text.matchAll(mark)].map(([found]) => found);
  const all = [...text.matchAll(han)].length;
  return marks.join('').length > 1 && marks.length * 3 >= all;
}
