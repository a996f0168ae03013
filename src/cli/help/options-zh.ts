/** What the help says of options, their groups and their defaults, in Chinese, by the English text. */

export const optionTexts: Readonly<Record<string, string>> = {
  Always: '始终',
  'Used most': '最常用',
  'Input and output': '输入和输出',
  'The service': '服务',
  'On several machines': '多台机器',
  Output: '显示',
  'What to submit': '提交什么',
  'Rows and terms': '行和条件',
  'Pace and files': '节奏和文件',
  Rehearsal: '演练',
  Hooks: '挂钩',
  'The page': '网页',
  'Which rows': '哪些行',
  'What you found': '查到的结果',
  'Where to, and which': '放到哪里，哪些',
  How: '怎样做',
  'A page for pupils': '给学生的网页',
  'What to change': '改什么',
  'How long': '多久',
  'Where to': '放到哪里',
  'Which reports': '哪些报告',
  'What to do': '做什么',
  'Which video': '哪个视频',
  Address: '地址',
  'The embedded service': '内置服务',

  'show this, or the help of the command': '显示本帮助，或该命令的帮助',
  'output folder and checkpoint': '输出文件夹，存档也在其中',
  'sheet of a workbook': '工作簿中的工作表',
  'the first with a question column': '第一个有题目列的',
  'which column is which field; FIELD=none for no column': '哪一列是哪个字段；FIELD=none 表示没有这一列',
  'cells of HTML: sent as they are, or as text with their images':
    'HTML 单元格：原样发送，或转成文字并带上图片',
  'rows that look odd, such as a footer: held back and said, or sent like others':
    '看起来不对的行，如页脚：留下并说明，或照常发送',
  'ask the service one free question: are address and key right?': '向服务做一次免费查询：地址和密钥对吗？',
  'address of the service': '服务的地址',
  'file that holds the API key': '存放 API 密钥的文件',
  'answer yes to every question, but not where the key may go':
    '对所有提问都回答“是”，但密钥可以发往何处除外',
  'kind of file': '文件类型',
  'detected, and printed': '自动识别并显示',
  'row that names the columns, in a workbook or CSV file': '工作簿或 CSV 文件中列名所在的行',
  'found among the first ten': '在前十行中寻找',
  'one character, or tab': '一个字符，或 tab',
  'utf-8, gb18030, ...': 'utf-8、gb18030 等编码',
  'largest image that is sent; all images of a row may have 2.5 times that':
    '发送的最大图片；一行的所有图片合计可达 2.5 倍',
  'add these rows to those of another file': '把这些行加到另一个文件的行之后',
  'pay again for rows that changed after they were submitted': '提交后改动过的行，重新付费',
  'take videos that the run in DIR has of the same question: they cost nothing; none removes it':
    '同一道题在 DIR 的运行中已有视频时直接取用，不花积分；none 取消',
  'total deadline for one API request': '一次 API 请求的总时限',
  'keep the run in PostgreSQL, where any number of workers carry it':
    '把运行保存在 PostgreSQL 中，由任意多个工作进程完成',
  'name of a run in --store': '--store 中某个运行的名称',
  'name of the run in --store': '运行在 --store 中的名称',
  'print the summary as one JSON object on standard output': '在标准输出上以一个 JSON 对象给出汇总',
  'print only warnings and the summary': '只显示警告和汇总',
  'print every change of every row': '显示每一行的每次变化',
  'language of the terminal: English or Chinese': '终端的语言：英文或中文',
  'the locale': '系统的语言',
  'no colours': '不用颜色',
  'a pilot: submit only N rows (spread over quality, length of text and number of pictures; chosen once, by --seed)':
    '试做：只提交 N 行（按清晰度、文字长度和图片数量分散选取；由 --seed 一次选定）',
  'submit at most N more rows now; none removes a limit': '现在最多再提交 N 行；none 取消限制',
  'for commands that submit, which this is not; none removes a limit that was tuned':
    '用于会提交的命令，本命令不提交；none 取消已调整的限制',
  'cap on spent and reserved points; none removes it': '已用和预留积分的上限；none 取消上限',
  none: '无',
  'most tasks open at the service at once; auto, or a range such as 4-64, finds how many it takes':
    '服务端同时进行的任务数上限；auto 或 4-64 这样的范围会自行找出合适的数目',
  'quality of rows that do not set their own': '没有自行指定清晰度的行所用的清晰度',
  "m, the service's": 'm，服务的默认值',
  'use the embedded service: no account, no points': '使用内置服务：不用账号，不花积分',
  'show the plan and the estimate, and send nothing': '显示计划和估计，不发送任何内容',
  'only these rows: ID,ID, or @FILE with a column id': '只提交这些行：ID,ID，或含 id 列的 @FILE',
  'stop submitting once 20 rows, or 10%, have ended badly': '有 20 行或 10% 的行结果不好时停止提交',
  'the folder or database was copied or moved; make sure no run is going in the other one':
    '文件夹或数据库是复制或移动过来的；请确认原处没有运行在进行',
  'time between status requests (the tick)': '状态查询的间隔',
  '30s, 1s with --simulate': '30s，用 --simulate 时为 1s',
  'give up waiting for a task after this': '等待一个任务的最长时间',
  'which progress frames to keep': '保留哪些步骤图',
  'listen for completion callbacks on HOST:PORT': '在 HOST:PORT 接收完成回调',
  'address at which the service reaches --listen': '服务访问 --listen 所用的地址',
  'job file: these options by their long names, plus input': '作业文件：用长名称写的这些选项，加上 input',
  'how long submitting waits for a service that is unreachable or too busy':
    '服务连不上或太忙时，提交等待多久',
  'typical length of a task': '一个任务通常的时长',
  'share of tasks that fail': '失败任务的比例',
  'share of requests with a fault; `batch simulate --help all` lists the names':
    '出故障的请求的比例；名称见 `batch simulate --help all`',
  'the same seed, the same run; also for --sample': '种子相同，运行相同；也用于 --sample',
  'with --store: import the file, and leave the work to the workers':
    '配合 --store：只导入文件，其余交给工作进程',
  'call CMD for each row that is completed: its line of report.jsonl on standard input, BATCH_ROW_* in the environment':
    '每完成一行就调用 CMD：标准输入是该行在 report.jsonl 中的内容，环境变量有 BATCH_ROW_*',
  'call CMD at the end of the run: the summary as JSON on standard input':
    '运行结束时调用 CMD：标准输入是 JSON 汇总',
  'a further report: xlsx writes report.xlsx beside report.csv':
    '另一种报告：xlsx 会在 report.csv 旁写入 report.xlsx',
  'at the end, look into the videos as `batch verify --deep` does':
    '结束时像 `batch verify --deep` 那样检查视频内容',
  'append one JSON line per event of the run to FILE; - for standard output':
    '把运行中的每个事件以一行 JSON 追加到 FILE；- 表示标准输出',
  "tell a dead man's switch (as of Healthchecks) at URL that the run starts, goes on and ends":
    '向 URL 的心跳监控（如 Healthchecks）报告运行开始、进行和结束',
  'most that batch.log and its older half, batch.log.1, take together':
    'batch.log 和较旧的 batch.log.1 合计的最大大小',
  'one JSON object': '一个 JSON 对象',
  'who decided what about money, when, and by which command': '谁在何时、用哪条命令、对花费做了什么决定',
  'port on 127.0.0.1; 0 picks a free one': '127.0.0.1 上的端口；0 表示任选一个空闲的',
  'depends on the folder': '由文件夹决定',
  'open the page in the browser': '在浏览器中打开网页',
  'save the marks made on the page with the run': '把网页上的标记随运行保存',
  'how sure to be of what a sample of watched rows says, 50% to 99.9%':
    '对抽查结论要有多大把握，50% 至 99.9%',
  'the name they are saved under; implies --review': '保存标记所用的姓名；同时启用 --review',
  'your name on this machine': '您在本机的用户名',
  'print {"url":...} on standard output': '在标准输出上给出 {"url":...}',
  'rows whose task FAILED at the service': '任务在服务端 FAILED 的行',
  'rows whose creation was refused': '提交被拒绝的行',
  'rows whose task is lost (pays again)': '任务已丢失的行（重新付费）',
  'of these, only rows whose failure contains TEXT; \'"TEXT"\' matches the whole failure':
    '其中失败原因含有 TEXT 的行；\'"TEXT"\' 要求完全一致',
  'these rows, even completed ones: ID,ID, or @FILE (a CSV file)':
    '这些行，包括已完成的：ID,ID，或 @FILE（一个 CSV 文件）',
  'rows whose mark that is saved with the run is bad': '随运行保存的标记为“差”的行',
  'rows marked good: one attempt in --quality each, once':
    '标记为“好”的行：每行以 --quality 重新制作一次，只一次',
  'of the rows of --only, those whose last attempt this is: typed again, it pays nothing':
    '--only 的行中，最近一次尝试是这一次的：重复输入也不再付费',
  'of rows that failed, were rejected or lost, those of round N and before; the proposed commands say it':
    '失败、被拒绝或已丢失的行中，第 N 轮及以前的；建议的命令会带上它',
  'the rows that the retry of round N ordered and did not send, and no others':
    '只限第 N 轮 retry 已定而没有发送的行',
  'include rows that are no longer in the file': '包括文件中已没有的行',
  'id of the task you found at the service': '您在服务端查到的任务编号',
  'the service has no task for this row': '服务端没有这一行的任务',
  'all uncertain rows in FILE, a CSV file with the columns id and task_id; - for standard input':
    'FILE 中所有待确认的行，含 id 和 task_id 两列的 CSV 文件；- 表示标准输入',
  'print the uncertain rows as such a file, to be filled in': '把待确认的行输出为这样的文件，供填写',
  'with --list: write it to FILE, for spreadsheets on Windows too':
    '配合 --list：写入 FILE，Windows 上的电子表格也能读',
  'with --store: it is an older copy, and what it forgot is settled':
    '配合 --store：它是一份较旧的副本，缺失的部分已处理好',
  'folder for the videos, created if needed': '放视频的文件夹，没有则新建',
  'of each video: {COLUMN}, {id}, {row}, {title}, {quality}, {attempt} and text; / between folders':
    '每个视频的名称：{COLUMN}、{id}、{row}、{title}、{quality}、{attempt} 和文字；文件夹之间用 /',
  'completed, good (by marks that are saved), ID,ID, or @FILE (a CSV file; with marks, the good ones)':
    'completed、good（按保存的标记）、ID,ID，或 @FILE（一个 CSV 文件；有标记时取“好”的）',
  'only hard links; stop where they are impossible': '只用硬链接；不能时停止',
  'links where possible, else copies': '能用硬链接就用，否则复制',
  'only copies: what is changed there does not change in the run': '只复制：在那里改动不影响运行中的文件',
  'the address that the folder will have: manifests and page say that of each video':
    '该文件夹将来的网址：清单和网页中写出每个视频的网址',
  'index.html beside the videos: question, player and search, for any browser':
    '在视频旁边放一个 index.html：题目、播放和搜索，任何浏览器都能打开',
  'what the page is called': '网页的标题',
  'the name of the run': '运行的名称',
  'the column that gives each video its heading there': '网页上各视频的标题分组所取的列，例如“章节”',
  'the answer too, behind a fold': '也给出答案，点开才显示',
  'the id of each video, also in links to it': '显示每个视频的编号，链接中也用它',
  'for print: a QR code that opens the video; needs --url-base':
    '供打印：能打开该视频的二维码；需要 --url-base',
  'remove what an earlier export put there and this one does not': '移除以前导出而这次不再有的文件',
  'a time such as 2h': '时长，例如 2h',
  'the next time the clock of this machine shows it': '本机时钟下一次到这个时刻',
  'leave at once, as at a second Ctrl-C: creations without an answer become uncertain':
    '立即离开，相当于第二次按 Ctrl-C：没有答复的提交成为待确认',
  'only this worker, as `batch status` names it': '只限这个工作进程，名称见 `batch status`',
  'all that work on the run now': '目前处理该运行的全部',
  'write them into DIR, with links that work from there': '写入 DIR，其中的链接在那里有效',
  'download damaged or missing files again, free of charge': '重新下载损坏或缺失的文件，免费',
  'look into each video once, and name those worth a look': '每个视频检查一次，列出值得一看的',
  'these rows: ID,ID, or @FILE with a column id': '这些行：ID,ID，或含 id 列的 @FILE',
  'the one of this attempt, from 1; later attempts change nothing':
    '这一次尝试的视频，从 1 数起；以后的尝试不影响选择',
  'the latest one, as without a choice': '最近的一个，与没有选择时相同',
  'of all rows in FILE, a CSV file with the columns id and prefer':
    'FILE 中的所有行，含 id 和 prefer 两列的 CSV 文件',
  'end when nothing is left to do': '没有剩余的行时结束',
  'folder or s3://BUCKET/PREFIX for the files': '放文件的文件夹或 s3://BUCKET/PREFIX',
  'DIR itself': 'DIR 本身',
  'What to compare': '比对什么',
  'How to read the statement': '如何读取账单',
  'a column of the statement, as task_id, amount, time, question or kind':
    '把账单的一列当作 task_id、amount、time、question 或 kind',
  'found by their names': '按列名找出',
  'the zone of its times that name none: UTC, or hours such as +08:00':
    '账单中未注明时区的时间所属的时区：UTC，或 +08:00 这样的时差',
  'that of this machine': '本机时区',
  'what its amounts have before the decimals, where that is not sure':
    '金额的小数点写作 point 还是 comma，无法确定时用',
  'also sum by this column of the input': '另按输入的这一列合计',
  'write the tasks that may be those of uncertain rows to FILE, for `resolve --from`':
    '把待确认的行可能对应的任务写入 FILE，供 `resolve --from` 使用',
  'the only key it accepts': '它唯一接受的密钥',
};
