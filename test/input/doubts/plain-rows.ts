/** Rows that people ask in earnest, however odd they look: none of them may be doubted. */

import type { DoubtedRow } from '../../../src/input/doubts/doubted-row.ts';

type Cells = readonly [question: string, answer?: string];

const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());
const words = (text: string): string[] => text.trim().split(/\s+/);

/** Each with an answer after ` | `, or none. */
const listed: readonly Cells[] = lines(String.raw`
  1+1=? | 2
  π | 3.14159
  2^10 | 1024
  x
  y = ?
  E=mc²
  a² + b² = c²
  =2x+1 | a line
  =f(x)
  -5 + 3 | -2
  3.5 × 2 | 7
  1/2 + 1/3 | 5/6
  5! | 120
  0! = ?
  √2
  |-3| | 3
  90° + 45° | 135°
  25 °C in °F | 77
  10 Å³
  ⟨Â²⟩ | the variance
  是非题：地球是圆的。 | 对
  判断题：1 是质数？ | 错
  选择题：下列哪个是质数？A. 4 B. 7 | B
  填空题：1+1=____ | 2
  如图，求三角形的面积
  As shown in the figure, what is the area? | 6
  What is the total of 3 and 4? | 7
  Total internal reflection: when does it occur? | Above the critical angle
  Total | 总数
  total | sum
  end | 结束
  End | das Ende
  合计 | hé jì
  共 20 题，答对一题得 5 分，小明得 60 分，他答对了几题？ | 12
  合计多少元？ | 20
  Source: what does a journalist mean by it? | Who told it
  来源：“阿基米德”一词从何而来？
  What does NULL mean in SQL? | No value
  SELECT COUNT(*) FROM t WHERE a IS NULL; | 3
  NULL = NULL 的结果是？ | NULL
  Which is prime? | None of the above
  What is the symbol of sodium? | Na
  Which symbol has sodium? | NA
  What does the program print? | None
  What is 0/0 in floating point? | NaN
  What does [].find(x => x) return? | undefined
  null | 无效的
  none | 没有一个
  undefined | 未定义的
  无 | wú
  没有 | méi yǒu
  空 | kōng
  question | 问题
  answer | 答案
  text | 文本
  image | 图像
  figure | 图
  number | 编号
  problem | 题目
  string | 字符串
  integer | 整数
  required | 必需的
  exercise
  prompt
  问题
  picture | A
  ; | semicolon
  ? | 问号
  / | 斜杠
  -- | decrement
  … | ellipsis
  % | percent
  & | and
  ++ | increment
  ∴ | therefore
  第一章讲了什么？ | 总结
  Part A of the curve is steep. Why?
  Chapter 3 says that x = 2. Is it true?
  Section 2 of the wire has 4 Ω: what is its current?
  1. e4 e5 2. Nf3 Nc6 | Ruy Lopez or Italian
  1. d4 | d5
  Qxf7# | mate
  2024-02-29 | leap day
  29/02/2024
  July 4, 1776 | Independence
  1999年12月20日 | 澳门回归
  12:30 + 45 min | 13:15
  2H₂ + O₂ → 2H₂O
  Fe2O3 + 3CO -> 2Fe + 3CO2
  CaCO₃ ⇌ CaO + CO₂↑
  H2O | water
  NaCl
  Na⁺
  https://example.com/a?b=c&d=%20e | a link
  What is at https://example.com/image.png?
  printf("a\n"); | a
  print("a\nb") | two lines
  What does "\n" mean in C? | a line break
  What does '\u00e9' print in Java? | é
  正则 [\u4e00-\u9fff]+ 匹配什么？ | 汉字
  Which strings does ^\d+\.\d*$ match? | numbers
  \bcat\b matches what?
  re.split(r"\\s+", text)
  C:\new\table | a folder
  What is in D:\\names\\text? | files
  #include <stdio.h>
  for (int i = 0; i < n; i++) sum += i; | n(n-1)/2
  if (a && b || !c) return;
  x = [i**2 for i in range(5)] | [0, 1, 4, 9, 16]
  What does <img src="a.png"> do in HTML? | shows a picture
  What does the <image> element of SVG do?
  Markdown 中 ![](a.png) 表示什么？ | 图片
  What does \includegraphics{a.png} do in LaTeX?
  =SUM(A1:A3) 的结果是？ | 6
  What does =SUM(A1:A3) do?
  #NAME? 是什么错误？ | 名称错误
  a[0] | the first
  {1, 2, 3} ∪ {3, 4}
  (a+b)^2 | a²+2ab+b²
  (x, y)
  (A) or (B)?
  [1, 2]
  f(x)=x
  N
  Q
  e
  i² | -1
  1, 1, 2, 3, 5, … | 8
  2, 4, 8, ?
  ? + 3 = 5 | 2
  __ + 2 = 4 | 2
  100% of 5
  $5 + $3 | $8
  50 € + 20 € | 70 €
  价格€5，两个多少钱？ | €10
  5元€
  涓涓细流 | 缓慢的流水
  锛 | 一种工具
  璇 | 美玉
  浜松市の人口は？ | 約80万人
  龘 | dá
  齉 | nàng
  鱻 | xiān
  爨 | cuàn
  魑魅魍魉 | chī mèi wǎng liǎng
  饕餮 耄耋 氤氲 踟蹰 旖旎
  關關雎鳩，在河之洲。窈窕淑女，君子好逑。
  床前明月光，疑是地上霜。下一句？ | 举头望明月
  床前明月光，疑是地上霜。举头望明月，低头思故乡。
  春眠不觉晓，处处闻啼鸟。
  “CAFÉ” – « Élève » – „Ä“ – ‘Ñ’
  “café”—a French word
  Nestlé™: what is it?
  « L'été »²
  Où est la forêt ? À côté du château, près de l'île.
  Ça coûte combien ? 5 €
  payé €5
  Wie heißt die Größe von „Ü“? | Übermaß
  Ärger über Öl, Äpfel und Übel
  ¿Cuánto es dos más dos? ¡Mañana, señor Ñuñez! | cuatro
  NÃO é a mãe; são três irmãos e o avô.
  AMANHÃ: o coração, a maçã, o pão
  Thủ đô của Việt Nam là gì? Ở đâu có nhiều người nhất? | Hà Nội
  Tìm số lớn nhất: ấ, ầ, ẩ, ẫ, ậ, đ, ư, ơ
  Zażółć gęślą jaźń. Ile to jest? | pangram
  Příliš žluťoučký kůň „úžéš“ – š
  Þetta er Ísland. Ð, ð og þ
  Árvíztűrő tükörfúrógép
  Ångström, Å, Å² i Malmö
  次の方程式を解きなさい。ひらがなとカタカナ | x=2
  日本の首都はどこですか？ | 東京
  한국의 수도는 어디입니까? | 서울
  삼각형의 넓이를 구하시오.
  Ποια είναι η πρωτεύουσα της Ελλάδας; | Αθήνα
  Сколько будет два плюс два? | четыре
  Решите уравнение: x² − 5x + 6 = 0
  מהו שורש ריבועי של תשע?
  ما هو مجموع زوايا المثلث؟ | 180
  สองบวกสองเท่ากับเท่าไร
  दो और दो कितने होते हैं?
  What does 🍎 + 🍎 make? | 🍎🍎
  👨‍👩‍👧 | a family
  ①+② = ?
  EQ and IQ: how do they differ?
  同上 | the same as above
  略 | lüè
  见附件 | see attachment
  ditto | the same as before
  新题目 | new question
  New question | 新题目
  Type the word that is missing here: I ___ happy. | am
  请输入一个正整数 n，输出 n 的阶乘。
  输入题目中的数据，输出什么？ | 3
  看图写话
  看书 | to read
  看图，说一说你看到了什么？
  见图 3，求阴影部分的面积。 | 6
  See the figure: what is the area? | 6
  Page 3 of a book has 300 words. How many have 5 pages? | 1500
  同上题，若 a = 3 呢？ | 9
  课本 P35 第 3 题：求 x+1=3 的解。 | 2
  示例：输入 3，输出 9。规律是什么？ | 平方
  例：2, 4, 8。下一个数是？ | 16
  Sample mean: what is it? | the average
  Excel 中怎样删除本行（快捷键）？
  How do I delete this row in Excel?
  What is Lorem ipsum?
  Required to prove: the angles are equal.
  Required: the maximum of x(1-x)
  必填项有什么作用？
  Array | a list of values
  Object | 宾语
  System.out.println | prints a line
  loading | 装载
  What does [object Object] mean? | an object as text
  [object Object] 是什么意思？
  JSON 中 {"text": "a"} 有几个键？ | 1
  {"a": 1, "b": 2} | 2 keys
  ["a", "b"] + ["c"] | a,b,c
  ['a', 'b', 'c'][1] | b
  [x for x in 'abc']
  b' + c' = 0
  b'(x) = 2x
  x=A1=B2=C3
  What is =E6=B1=82 in quoted-printable? | 求
  %E6%B1%82 解码后是什么？ | 求
  10%20%30%
  50%25
  Base64 of "a" | YQ==
  Antidisestablishmentarianism | 反政教分离主义
  InternationalBusinessMachine
  ## | double sharp
  ### | a heading of level 3
  #
  C# | a language
  What is a.png?
  logo in PNG
  如何打开a.png
  Q1 | first quartile
  Q10 | ubiquinone
  B12 | cobalamin
  x-1 | y
  a_1
  x_12 | 7
  A320 | Airbus
  Question 5
  README.md | a file of notes
  550e8400-e29b-41d4-a716-446655440000 | an identifier
  What does <|im_start|> mean?
  <|im_start|> 是什么标记？
  Human: what does this word mean?
  Dialogue: A: How are you? B: ___ | Fine
  #VALUE! 怎样处理？
  Eq (1): \frac{1}{2} + x
  $1$ and \$2
  Page 3 of the book has how many words?
  Copyright law: explain fair use.
  什么是版权所有？
  打印时间和页数成正比，10 页要 2 分钟，30 页要几分钟？
  printed matter
  Name: the largest ocean
  解析：抛物线 y=x² 的焦点在哪里？
  Solution: what is it in chemistry?
  编写一份试卷
  I will stay at home | if it rains
  若 a=b | 则 b=a
  It costs $5 each; total for 3 | $15
  The Si–Si bond is 2.35 Å±0.02 long. How many nm is that?
  côté¹² | a footnote
  什么是“锟斤拷”？ | 乱码
  ТАТАР | a people
  ЮЖНЫЙ СУДАН | шан
  12 В±5% | В·А
  小学 | 没为
  x²y³z²w
  √π + √π
  cos(–π) + sin(–π)
  “état” et ‘école’
  ÁÉÍÓÚ and áéíóú
  ├── src
  How do you center an <img> in a flexbox?
  Compute $2\nicefrac{1}{3} + 1$.
  Which file is in docs\notes.txt: the folder or the file?
  Compute 5![[1]] for the array.
  Find the determinant of [[5]].
  Is {a} a subset of {b}?
  {a} ∪ {b}
  已知数列{an}，{bn}，求 a1
  \frac {a} {b}
  f(x) = {x^2}
  What does %d mean, and %s?
  Options: [a] Paris [b] London
  Solve [x] + [y] = 3
  What does {{ name }} do in Vue?
  ? × ? = 12
  ??? + 5 = 12???
  12?4 + ?73 = 1?77
  What?? Really?? Yes.
  a ?? b
  What is x?what is y?
  众所周知，由已知，a=1，并且，b=2。
  做出假设，然后验证，求 x
  原则的反义词？
  1+1+1+1+1+1+1+1+1=?
  123123123=?
  5-3
  It costs $5 times 3 or $15.
  $\text{frac} \alpha$
  $a_n \to 0$, $\nu$, $\nabla f$
`).map((line): Cells => {
  const [question = '', answer] = line.split(' | ');
  return answer === undefined ? [question] : [question, answer];
});

/** Lines that begin with what remains of a command, and other texts of several lines. */
const ofSeveralLines: readonly Cells[] = [
  ['Let $x = 2$.\nu + v = 3\nan apple costs $5$\neq 1: $x = 1$\neq 2: $x = 3$', '3'],
  ['Solve the system\neq (1): $a = b$\neq (2): $b = c$'],
  ['It costs $5.\nu pay how much? $10?'],
  ['$$\nu + v = 3\n$$'],
  ['Name:\tan apple\tau pair\tof tea\nprice: $5\t$6', '11'],
  ['Place:\ttheater\ttimes\n\ttriangle\tfraction\nright is which?', 'x'],
  ['\\[\nu = \\frac{1}{2}\n\\]'],
  ['\\begin{pmatrix} 1 & 2 \\\\\n3 & 4 \\end{pmatrix}'],
  ['| a | b |\n|---|:---:|\n| 1 | 2 |\nWhat is $a + b$?', '3'],
  ['---\nWhat is below the line?'],
  ['Total: 20\nHow many are left of 12?', '8'],
  ['def f(x):\n\treturn x\n\tand_then()\n\t{a}'],
  ['Roses are red\nViolets are blue\nan old poem\nu know it', 'yes'],
  ['A. right\r\nB. eq\r\nC. $u$\r\nu is which?', 'C'],
  [`What is \${x}$?`],
  [`\${a}$ and \${b}$`],
  ['`frac{a}{b}` in AsciiMath'],
  ['Read it.\u000bThe sky is blue.\u000bfrac? vec?'],
  ['$\\begin{cases}\nm+n=3 \\\\\nm-n=1\n\\end{cases}$', 'm=2'],
  ['$\\begin{cases}\ne + 2 = 4 \\\\ \ni = 3\n\\end{cases}$ 求 e+i', '5'],
  ['$x +\ne = 5$ and $y =\ni$'],
  ['function f() {\n\to = {};\n\treturn o;\n}', 'an object'],
  ['\\begin{cases} x + y = 1 \\\\ x - y = 2 \\\\[2pt] \\end{cases}'],
  ['\\begin{array}{c|c} a & b \\\\\\hline \\alpha & \\beta \\\\\\frac{1}{2} & 1 \\\\\\end{array}'],
];

const commands = words(String.raw`
  \nabla \neq \nu \ne \neg \not \ni \notin \nmid \nexists \nleq \ngeq \nearrow \natural \nsubseteq \times \theta \tan \tanh \tau \to \top
  \triangle \tilde \therefore \beta \bar \bigcup \binom \boxed \frac \forall \flat \rho \right \rangle \rightarrow \rm \alpha \gamma
  \delta \epsilon \zeta \eta \iota \kappa \lambda \mu \xi \pi \sigma \phi \chi \psi \omega \Delta \Omega \Sigma \vec \hat \dot \ddot
  \overline \underline \sqrt \sum \prod \int \oint \lim \infty \partial \cdot \cdots \ldots \pm \mp \div \leq \geq \approx \equiv \sim
  \cong \propto \perp \parallel \angle \circ \cap \cup \subset \in \emptyset \mathbb \mathrm \mathbf \mathcal \text \textbf \left \quad
  \sin \cos \log \ln \exp \min \max \gcd \bmod \dfrac \tfrac \newline \noindent \v \u \b \f \t`);

const formulas = commands.flatMap((command): Cells[] => [
  [`$x ${command} y$`, '0'],
  [`Find $2${command}{a}$ where $b = ${command} c$.`, `$${command} 3$`],
  [`\\(${command} n\\)`],
  [`$\\begin{pmatrix} a & ${command} b \\\\ ${command} c & d \\end{pmatrix}$`, '1'],
  [`求 $${command} x$ 的值。`, `${command}`],
  [`$a \\\\${command} b$`],
]);

const english = words(`
  apple house water question answer text word image figure number reason total end none null string integer required optional source table
  school teacher mother father brother sister friend city country river mountain ocean island forest desert weather summer winter spring
  autumn morning evening night today tomorrow yesterday week month year hour minute second red green blue yellow black white orange purple
  run walk swim jump read write speak listen think know believe love hate open close begin finish buy sell give take part section chapter
  unit lesson problem solution exercise test exam page line column row header footer title note right wrong true false yes no maybe`);
const chinese = words(`
  苹果 房子 水 学校 老师 母亲 父亲 朋友 城市 国家 河流 山 海洋 岛屿 森林 沙漠 天气 夏天 冬天 春天 秋天 早上 晚上 今天 明天 昨天 星期 月份 年份 小时 分钟 红色 绿色
  一心一意 三心二意 画蛇添足 守株待兔 亡羊补牢 掩耳盗铃 井底之蛙 狐假虎威 对牛弹琴 叶公好龙 杯弓蛇影 刻舟求剑 买椟还珠 滥竽充数 自相矛盾 鹬蚌相争 塞翁失马 愚公移山
  精卫填海 夸父逐日 女娲补天 后羿射日 卧薪尝胆 破釜沉舟 四面楚歌 纸上谈兵 完璧归赵 负荆请罪 指鹿为马 草船借箭 三顾茅庐 闻鸡起舞 铁杵成针 凿壁偷光 囊萤映雪 悬梁刺股
  忐忑 饕餮 彳亍 耄耋 囹圄 魍魉 踯躅 踟蹰 缱绻 旖旎 氤氲 翡翠 琉璃 葳蕤 觊觎 龃龉 狻猊 贔屭 麒麟 鸳鸯 蜻蜓 蝴蝶 蚯蚓 蟋蟀 蜘蛛 骆驼 鹦鹉 橄榄 葡萄 枇杷`);

const vocabulary = [
  ...english.map((word, at): Cells => [word, chinese[at % chinese.length] ?? '']),
  ...chinese.map((word, at): Cells => [word, english[at % english.length] ?? '']),
  ...chinese.map((word): Cells => [word]),
  ...english.map((word): Cells => [`What does “${word}” mean?`, word]),
  ...chinese.map((word): Cells => [`用“${word}”造句。`]),
  ...chinese.map((word): Cells => [`“${word}”是什么意思？\n请举例说明。`, `${word}：……`]),
];

const arithmetic = Array.from({ length: 30 }, (_, a) =>
  ['+', '-', '×', '÷', '*', '/', '^', '<'].flatMap((sign): Cells[] => [
    [`${a + 1}${sign}${a + 2}`, `${a}`],
    [`${a + 1} ${sign} x = ${a * 3}`],
    [`${a + 1}. 计算 ${a + 3} ${sign} 2`, `${a}.5`],
  ]),
).flat();

const titles = words(
  '第一章 第二节 第3单元 PartA 一、选择题 二、填空题 选择题 Chapter 合计：苹果 Total_energy',
).flatMap((title): Cells[] => [[`${title} 总结`], [`${title}：说明其主要内容`, '略']]);

const row = ([question, answer = '']: Cells, id: string | null): DoubtedRow => ({
  question,
  answer,
  hasPictures: false,
  cells: [id ?? '', question, answer].filter((cell) => cell !== ''),
  hasId: id === null ? null : true,
});

const questions: readonly Cells[] = [...listed, ...ofSeveralLines, ...formulas, ...vocabulary, ...arithmetic];

/** Such rows, each once in a file with ids and once in a file without. */
export const plainRows: readonly DoubtedRow[] = [
  ...questions.map((it) => row(it, null)),
  ...[...questions, ...titles].map((it, at) => row(it, `${at + 1}`)),
  // Its picture is the question.
  ...words('1 2. （3） Q5 ? 。 / 无 None NULL Part 题').map((it) => ({
    ...row([it], '1'),
    hasPictures: true,
  })),
];
