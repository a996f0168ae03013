/** Pure. Lines of a page among the rows: its number, who printed it, where names and marks are written, answers below their question. */

/** A line that asks something is a question, whatever words it has. */
const asks =
  /[?？]|什么|哪|多少|如何|怎[么样]|是否|解释|简述|求|证明|\b(?:what|how|why|which|explain|describe|define|discuss|compare)\b/i;

const blank: string = '[\\s_＿—–\\-./／\\d年月日分]*';
const labels: string =
  '姓\\s*名|班\\s*级|学\\s*号|考\\s*号|准考证号|座位?号|学\\s*校|年\\s*级|日\\s*期|得\\s*分|总\\s*分|评卷人|阅卷人|' +
  'name|class|date|grade|student(?: (?:id|no\\.?|number))?|school|teacher|period|score|marks?|points';

const forms: readonly RegExp[] = [
  // The number of a page.
  /^[-—–~·\s]*第\s*[\d一二三四五六七八九十]{1,4}\s*页(?:[\s,，、/／（(]*共\s*[\d一二三四五六七八九十]{1,4}\s*页[)）]?)?[-—–~·\s]*$/,
  /^[-—–~·\s]*(?:page|pg\.?|seite|página|pagina|стр\.?|страница)\s*\d{1,4}(?:\s*(?:of|von|sur|de|di|из|\/)\s*\d{1,4})?[-—–~·\s]*$/i,
  /^共\s*\d{1,4}\s*页[,，、/／\s]*第\s*\d{1,4}\s*页$/,
  /^[-—–]\s*\d{1,4}\s*[-—–]$/,
  // Where names and marks are written.
  new RegExp(`^(?:(?:${labels})\\s*[:：]${blank}){2,}$`, 'i'),
  /^(?:得\s*分|总\s*得?分|评卷人|阅卷人|score|marks?)\s*[:：]?[\s_＿/／.\d分]*$/i,
  /^得\s*分\s*(?:评卷人|阅卷人)$/,
  // Who made it, and when.
  /^(?:打印|导出|生成|制表|印刷|下载|更新)(?:时间|日期)\s*[:：]?\s*\d/,
  /^(?:printed|exported|generated|downloaded|created|last updated|print (?:date|time))\s*(?:(?:on|at|from|by|with)\b|:)(?=.*\d).{0,60}$/i,
  /^(?:制表|出题|命题|审核|审题|校对|录入|打印|整理|编辑|供稿|责任编辑)(?:人|者|教师|老师|单位)?\s*[:：]/,
  /^(?:prepared|compiled|edited|typeset|reviewed|set) by\s*[:：]|^(?:prepared|compiled|typeset) by [A-Z]/i,
  // Whose it is.
  /版权所有|禁止转载|翻印必究|侵权必究|未经(?:许可|授权)|^内部(?:资料|使用)|绝密|机密.{0,3}启用前/,
  /^(?:copyright\s*(?:©|\(c\)|\d{4}|by\b)|©\s*\S|\(c\)\s*\d{4})|all rights reserved|^(?:strictly )?confidential\b|do not (?:copy|distribute|reproduce)/i,
  // What it wants besides answers.
  /(?:关注|扫码|扫一扫|搜索|添加|加入|加|微信).{0,12}(?:公众号|微信号?|小程序|QQ\s*群|交流群|抖音|二维码)|(?:更多|最新).{0,10}(?:资料|试题|试卷|资源|教案).{0,12}(?:关注|访问|下载|登录|请)/,
  /^(?:for more|get more|find more|download (?:more|free)|more free|visit (?:us|our)|follow us|subscribe to|join our)\b/i,
  // What is said of the paper.
  /^(?:考试|答题|测试)(?:时间|时长|用时)\s*[:：]?\s*\d|^(?:试卷|卷面|本卷)?(?:满分|总分)\s*[:：]?\s*\d{2,3}\s*分|^本(?:试?卷|试题)(?:共|分|满分)/,
  /^(?:time(?: allowed)?\s*:\s*\d.*(?:min|hour|hr)|(?:total|maximum|max\.?) marks?\s*:\s*\d)/i,
  /^(?:注|注意|备注|说明)\s*[:：](?=.{0,40}(?:每小?题|各题|共).{0,10}分).{0,60}$|^(?:注意事项|答题须知|考生须知)(?:\s*[:：].*)?$/,
  /^(?:note|n\.?b\.?)\s*:?\s*(?:each|every|all) (?:questions?|items?|problems?)\b.*(?:marks?|points?|pts)\b/i,
  /^(?:密封线|装订线|.{0,10}(?:线内|区域内?)(?:不要|请勿|不得|禁止)答题|do not write (?:below|above|in|on)\b.*|please turn over|continued (?:on|from)\b.*)$/i,
  /^.{2,30}[(（](?:续|接上页|continued|cont\.?)[)）]$/i,
  /^\d{4}.{0,30}(?:试卷|试题|测试卷|测试题|模拟卷|考试卷)(?:\s*[（(].{0,10}[)）])?$/,
];

/** True for a line of a page that is no question. */
export function isPageLine(text: string): boolean {
  return forms.some((form) => form.test(text)) && !asks.test(text);
}

const answer =
  /^(?:[【[［〖](?:参考|标准|正确)?(?:答案|解析|分析|解答|详解|点评|考点|点拨|点睛|答案与解析|answer|solution|explanation)[】\]］〗]|(?:参考|标准|正确|本题)?(?:答案|解析|试题解析|答案与解析|答案及解析|详解|点评)\s*[:：]|(?:(?:correct|right|model|sample) )?answers?(?: key)?\s*[:：]|ans(?:\.\s*|\s*[:：])|(?:explanation|rationale|solution)\s*[:：])/i;

/** True for the answer to a question, or what explains it, without the question. */
export function isAnswerLine(text: string): boolean {
  return answer.test(text) && !/[?？]/.test(text);
}
