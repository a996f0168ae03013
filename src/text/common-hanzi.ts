/** How much of a text are frequent Chinese characters: bytes in another encoding, read as Chinese, are mostly rare ones. */

/** The most frequent characters of texts, of exercises, of names and of classical prose, simplified and traditional. */
const common = new Set(`
的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方
多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情
明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给
世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太
量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象
完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笑飞步八图往近连风早快落根黑红
青绿蓝黄花草木火土石竹米车船衣食房钱买卖价元角千百吨升秒答案证若函组值域集充圆线段积周径弦割垂腰顶坐标轴单调增减极奇偶余
称模夹列项差概率随均整除倍质母约乘幂号绝虚复锥柱球棱台底侧斜截距焦准抛双曲椭轨迹速密功流压阻磁热温波酸碱盐氧氢碳氮溶液浓
离素细胞植遗染呼吸蛋酶写填选择判断错误哪符算简述析试较留骤请阅读材料翻译词语句章含李刘陈杨赵吴徐孙胡朱林郭罗梁宋郑谢韩唐
冯董萧曹袁邓傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴夏钟汪田姜范姚谭廖邹熊陆郝孔崔康毛邱秦江史顾侯邵孟龙雷汤伟芳娜秀英敏静丽
磊洋勇艳杰娟涛超兰霞刚桂华玉春梅志燕鹏宇浩乎曰矣焉哉乃吾汝故夫盖岂孰弗勿莫皆尽亦犹虽君臣父妇圣贤仁礼智忠孝诗易秋庄庙堂诸
兵士卒這個們來為國說時對會後過發經學現當沒動還進開從實軍無與長機業將兩間問應戰頭體見產話給門東聲處幾認條係氣題爾變總電數
報結務場計資許統區隊決馬書則聽卻達強難權設記類據邊張該萬術領確傳師觀讓識導爭運點樣種義雙單復雜圖線圓積證請寫選擇錯誤讀詞
語減極組樂愛歡園連遠衛鐘錶針鋼鐵銀錢買賣價貨費貝
`);

/** Signs and letters that texts of many languages share: punctuation, symbols, full-width forms, Greek. */
const shared = /[\0-\u03ff\u2000-\u27bf\u3000-\u303f\uff00-\uff60\uffe0-\uffee\s]/u;

/** Characters of a text that say something about its language, and how many of them are frequent in Chinese. */
export function countHanzi(text: string): { readonly common: number; readonly all: number } {
  let count = 0;
  let all = 0;
  for (const letter of text) {
    if (shared.test(letter)) continue;
    all += 1;
    if (common.has(letter)) count += 1;
  }
  return { common: count, all };
}
