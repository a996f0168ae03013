/**
 * Every option, once. It is plain data, so help and completion load nothing else. `options.ts` derives the rest.
 */

/** By the names in programs; `longName` gives those of flags and job files. The comments document the library. */
export const optionTable = {
  /** Path of the questions: an Excel, CSV, JSONL or Parquet file. */
  input: {
    kind: 'file',
    write: { en: 'a path', zh: '路径' },
    help: 'the questions: an Excel, CSV, JSONL or Parquet file, relative to the job file',
    reach: 'rows',
    program: 'file',
  },
  /** Output folder and checkpoint; `./videos` by default. */
  out: {
    kind: 'folder',
    write: { en: 'a folder', zh: '文件夹' },
    help: 'output folder and checkpoint',
    letter: 'o',
    otherwise: './videos',
    reach: 'manner',
    program: 'each',
  },
  store: {
    kind: 'text',
    write: {
      en: 'the address of a PostgreSQL database, such as postgres://USER@HOST/DATABASE, or none',
      zh: 'PostgreSQL 数据库的地址，例如 postgres://USER@HOST/DATABASE；或 none',
    },
    help: 'keep the run in PostgreSQL, where any number of workers carry it',
    otherwise: 'BATCH_STORE',
    reach: 'manner',
  },
  run: {
    kind: 'text',
    write: { en: 'the name of a run', zh: '运行的名称' },
    help: 'name of the run in --store',
    reach: 'manner',
  },
  detach: {
    kind: 'switch',
    help: 'with --store: import the file, and leave the work to the workers',
    reach: 'manner',
  },
  /** Address of the service; `BATCH_BASE_URL` in the environment by default. Saved with the run. */
  baseUrl: {
    kind: 'address',
    write: { en: 'the address of the service', zh: '服务的地址' },
    help: 'address of the service',
    otherwise: 'BATCH_BASE_URL',
    reach: 'run',
    program: 'each',
  },
  /** Path of a file that holds the API key. The path is saved with the run. */
  apiKeyFile: {
    kind: 'file',
    write: { en: 'the path of a file that holds the key', zh: '存放密钥的文件的路径' },
    help: 'file that holds the API key',
    otherwise: 'BATCH_API_KEY',
    reach: 'run',
    program: 'each',
  },
  /** Use the embedded service: no account, no points. Saved with the run. */
  simulate: {
    kind: 'switch',
    help: 'use the embedded service: no account, no points',
    inJobFile: 'Use the embedded service: no account, no points.',
    reach: 'run',
    program: 'each',
  },
  /** Tasks open at the service at once; a range such as `'4-64'`, or `'auto'`, finds the number it takes; 10 by default. Saved with the run. */
  concurrency: {
    kind: 'concurrency',
    help: 'most tasks open at the service at once; auto, or a range such as 4-64, finds how many it takes',
    letter: 'j',
    otherwise: '10',
    reach: 'run',
    program: 'each',
    isTuned: true,
  },
  /** Time between status requests (the tick); 30 s by default, 1 s with `simulate`. Saved with the run. */
  pollInterval: {
    kind: 'duration',
    example: '30s',
    help: 'time between status requests (the tick)',
    otherwise: '30s, 1s with --simulate',
    reach: 'run',
    program: 'each',
    isTuned: true,
  },
  /** Quality of rows without their own; the service's default (`m`) otherwise. Saved with the run. */
  quality: {
    kind: 'quality',
    help: 'quality of rows that do not set their own',
    inJobFile: 'Quality of rows that do not set their own: high, medium, low.',
    otherwise: "m, the service's",
    reach: 'run',
    program: 'submitting',
  },
  /** Progress frames to keep; all by default. Saved with the run. */
  frames: {
    kind: 'frames',
    help: 'which progress frames to keep',
    otherwise: 'all',
    reach: 'run',
    program: 'each',
  },
  /** How to read the file; detected by default. */
  format: {
    kind: 'format',
    help: 'kind of file',
    inJobFile: 'How to read the input.',
    otherwise: 'detected, and printed',
    reach: 'rows',
    program: 'file',
  },
  /** The sheet of a workbook; the first visible one with a question column by default. */
  sheet: {
    kind: 'name',
    write: { en: 'the name of a sheet', zh: '工作表的名称' },
    help: 'sheet of a workbook',
    otherwise: 'the first with a question column',
    reach: 'rows',
    program: 'file',
  },
  /** The row of a workbook or CSV file that names the columns; the first with a question column, of ten, by default. */
  headerRow: {
    kind: 'count',
    least: 1,
    help: 'row that names the columns, in a workbook or CSV file',
    otherwise: 'found among the first ten',
    reach: 'rows',
    program: 'file',
  },
  /** One character, or `tab`; detected by default. */
  delimiter: {
    kind: 'character',
    write: { en: 'one character, or tab', zh: '一个字符，或 tab' },
    help: 'one character, or tab',
    otherwise: 'detected, and printed',
    reach: 'rows',
    program: 'file',
  },
  /** Such as `utf-8` or `gb18030`; detected by default. */
  encoding: {
    kind: 'encoding',
    write: {
      en: 'an encoding such as utf-8, gb18030, utf-16le or windows-1252',
      zh: '编码，例如 utf-8、gb18030、utf-16le 或 windows-1252',
    },
    help: 'utf-8, gb18030, ...',
    inJobFile: 'Such as utf-8 or gb18030.',
    otherwise: 'detected, and printed',
    reach: 'rows',
    program: 'file',
  },
  /** Which column is which field, if the header does not show it. */
  map: {
    kind: 'columns',
    help: 'which column is which field; FIELD=none for no column',
    inJobFile: 'Which column is which field; none for no column.',
    reach: 'rows',
    program: 'file',
  },
  /** Cells of HTML: kept as they are by default, or turned into text with their images. Saved with the run. */
  html: {
    kind: 'html',
    help: 'cells of HTML: sent as they are, or as text with their images',
    inJobFile: 'Cells of HTML: sent as they are, or as text with their images.',
    otherwise: 'keep',
    reach: 'run',
    program: 'file',
  },
  /** Rows that look odd, such as a footer: held back by default, or sent like others. It counts for the file of its command. */
  odd: {
    kind: 'odd',
    help: 'rows that look odd, such as a footer: held back and said, or sent like others',
    inJobFile: 'Rows that look odd, such as a footer: held back and said, or sent like others.',
    otherwise: 'hold',
    reach: 'rows',
    program: 'submitting',
  },
  /** The largest image to send; 20 MB by default. All images of a row may have two and a half times this size. Saved with the run. */
  maxImageBytes: {
    kind: 'size',
    example: '20MB',
    help: 'largest image that is sent; all images of a row may have 2.5 times that',
    otherwise: '20MB',
    reach: 'run',
    program: 'submitting',
  },
  /** Submit at most this many more rows now; `'none'` removes a limit that was tuned. */
  limit: {
    kind: 'rows',
    help: 'submit at most N more rows now; none removes a limit',
    inJobFile: 'Submit at most this many more rows now.',
    reach: 'rows',
    program: 'submitting',
    isTuned: true,
  },
  /** Submit so many rows now, spread over quality, length of text and number of pictures; the run keeps the choice. */
  sample: {
    kind: 'count',
    least: 1,
    help: 'a pilot: submit only N rows (spread over quality, length of text and number of pictures; chosen once, by --seed)',
    inJobFile:
      'A pilot: submit only so many rows, spread over quality, length of text and number of pictures.',
    reach: 'rows',
    program: 'submitting',
  },
  /** Submit only the rows with these ids now. */
  only: {
    kind: 'ids',
    write: { en: 'ids with commas between them', zh: '用逗号分开的编号' },
    help: 'only these rows: ID,ID, or @FILE with a column id',
    inJobFile: 'Submit only these rows: ids, or @FILE for those of a CSV file.',
    reach: 'rows',
    program: 'submitting',
  },
  /** Cap on spent and reserved points; none by default, `'none'` removes it. Saved with the run. */
  maxPoints: {
    kind: 'points',
    help: 'cap on spent and reserved points; none removes it',
    otherwise: 'none',
    reach: 'run',
    program: 'submitting',
    isTuned: true,
  },
  /** Stop submitting after this many rows, or this share, ended badly. Saved with the run. */
  halt: {
    kind: 'halt',
    help: 'stop submitting once 20 rows, or 10%, have ended badly',
    inJobFile: 'Stop submitting once this many rows, or this share, have ended badly.',
    reach: 'run',
    program: 'submitting',
  },
  /** Give up waiting for a task after this; 6 h by default. Saved with the run. */
  taskTimeout: {
    kind: 'duration',
    example: '6h',
    help: 'give up waiting for a task after this',
    otherwise: '6h',
    reach: 'run',
    program: 'each',
  },
  /** Total deadline for one API request; 60 s by default. Saved with the run. */
  requestTimeout: {
    kind: 'duration',
    example: '60s',
    help: 'total deadline for one API request',
    otherwise: '60s',
    reach: 'run',
    program: 'each',
  },
  outageTimeout: {
    kind: 'duration',
    example: '10m',
    help: 'how long submitting waits for a service that is unreachable or too busy',
    otherwise: '10m',
    reach: 'run',
  },
  dryRun: {
    kind: 'switch',
    help: 'show the plan and the estimate, and send nothing',
    reach: 'manner',
  },
  yes: {
    kind: 'switch',
    help: 'answer yes to every question, but not where the key may go',
    letter: 'y',
    reach: 'manner',
  },
  /** Continue in a folder or database that was copied or moved since its last run; only if no run is active in the other one. Refused by default. */
  moved: {
    kind: 'switch',
    help: 'the folder or database was copied or moved; make sure no run is going in the other one',
    reach: 'manner',
    program: 'submitting',
  },
  /** Listen for completion callbacks at `HOST:PORT`. Saved with the run. */
  listen: {
    kind: 'listen',
    help: 'listen for completion callbacks on HOST:PORT',
    inJobFile: 'Listen for completion callbacks.',
    reach: 'run',
    program: 'each',
  },
  /** Address under which the service reaches `listen`. Saved with the run. */
  publicUrl: {
    kind: 'address',
    write: { en: 'the address at which the service reaches --listen', zh: '服务访问 --listen 所用的地址' },
    help: 'address at which the service reaches --listen',
    reach: 'run',
    program: 'each',
  },
  /** Pay again for changed rows that were submitted before. */
  rerunChanged: {
    kind: 'switch',
    help: 'pay again for rows that changed after they were submitted',
    reach: 'rows',
    program: 'file',
  },
  /** Add the rows to those of another file. */
  add: { kind: 'switch', help: 'add these rows to those of another file', reach: 'rows', program: 'file' },
  reuse: {
    kind: 'folders',
    write: { en: 'the output folder of a run, or none', zh: '某次运行的输出文件夹，或 none' },
    help: 'take videos that the run in DIR has of the same question: they cost nothing; none removes it',
    reach: 'run',
  },
  /** `'xlsx'` writes `report.xlsx` beside `report.csv`; none by default. Saved with the run. */
  report: {
    kind: 'report',
    help: 'a further report: xlsx writes report.xlsx beside report.csv',
    otherwise: 'none',
    reach: 'run',
    program: 'each',
  },
  inspect: {
    kind: 'switch',
    help: 'at the end, look into the videos as `batch verify --deep` does',
    reach: 'run',
  },
  logMax: {
    kind: 'size',
    example: '100MB',
    help: 'most that batch.log and its older half, batch.log.1, take together',
    otherwise: '100MB',
    reach: 'manner',
  },
  onRow: {
    kind: 'command',
    help: 'call CMD for each row that is completed: its line of report.jsonl on standard input, BATCH_ROW_* in the environment',
    reach: 'manner',
  },
  onEnd: {
    kind: 'command',
    help: 'call CMD at the end of the run: the summary as JSON on standard input',
    reach: 'manner',
  },
  ping: {
    kind: 'ping',
    help: "tell a dead man's switch (as of Healthchecks) at URL that the run starts, goes on and ends",
    inJobFile:
      "Tell a dead man's switch (as of Healthchecks) at this address that the run starts, goes on and ends.",
    otherwise: 'BATCH_PING',
    reach: 'manner',
  },
  events: {
    kind: 'file',
    write: { en: 'the path of a file, or - for standard output', zh: '文件的路径，或 - 表示标准输出' },
    help: 'append one JSON line per event of the run to FILE; - for standard output',
    reach: 'manner',
  },
  json: {
    kind: 'switch',
    help: 'print the summary as one JSON object on standard output',
    inJobFile: 'Print the summary as one JSON object.',
    reach: 'manner',
  },
  quiet: { kind: 'switch', help: 'print only warnings and the summary', reach: 'manner' },
  verbose: { kind: 'switch', help: 'print every change of every row', letter: 'v', reach: 'manner' },
  lang: {
    kind: 'language',
    help: 'language of the terminal: English or Chinese',
    otherwise: 'the locale',
    reach: 'manner',
  },
  noColor: { kind: 'switch', help: 'no colours', reach: 'manner' },
  /** Embedded service: typical length of a task; 3 s by default. Saved with the run. */
  duration: {
    kind: 'duration',
    example: '3s',
    help: 'typical length of a task',
    inJobFile: 'Embedded service: typical length of a task.',
    otherwise: '3s',
    reach: 'run',
    program: 'each',
  },
  /** Embedded service: share of tasks that fail; none by default. Saved with the run. */
  failRate: {
    kind: 'share',
    write: { en: 'a rate', zh: '比率' },
    help: 'share of tasks that fail',
    inJobFile: 'Embedded service: share of tasks that fail.',
    otherwise: '0',
    reach: 'run',
    program: 'each',
  },
  /** Embedded service: share of requests with a fault. Saved with the run. */
  fault: {
    kind: 'faults',
    help: 'share of requests with a fault; `batch simulate --help all` lists the names',
    inJobFile: 'Embedded service: share of requests with a fault; of capacity, tasks taken at once.',
    reach: 'run',
    program: 'each',
  },
  /** Of `sample` and of the embedded service: the same seed, the same rows and the same run; 1 by default. Saved with the run. */
  seed: {
    kind: 'count',
    least: 0,
    help: 'the same seed, the same run; also for --sample',
    inJobFile: 'Of sample and of the embedded service: the same seed, the same rows and the same run.',
    otherwise: '1',
    reach: 'run',
    program: 'each',
  },
} as const;
