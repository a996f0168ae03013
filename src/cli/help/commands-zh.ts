/** What the help says of commands, their arguments, examples and exit codes, in Chinese, by the English text. */

export const commandTexts: Readonly<Record<string, string>> = {
  'Every day': '日常',
  More: '其他',

  'Excel, CSV, JSONL or Parquet file, or - for standard input':
    'Excel、CSV、JSONL 或 Parquet 文件；- 表示标准输入',
  'output folder of the run': '本次运行的输出文件夹',
  'output folder (default: ./videos) and id of the row': '输出文件夹（默认 ./videos）和题目编号',
  'output folder to move into the store': '要移入数据库的输出文件夹',
  'your shell': '所用的 shell',

  'validate FILE and show the plan; --online asks whether the account is right':
    '检查 FILE 并显示计划；--online 查询账号是否正确',
  'every problem with its line, and the plan': '列出每个问题和所在的行，以及计划',
  'with a column whose header is not recognized': '指定一个表头没有认出的列',
  'without a file: are address and key right? One free question': '不带文件：地址和密钥对吗？一次免费查询',
  'list what a run needs, and what to do about what is missing; changes nothing':
    '列出运行所需的一切，缺什么该怎么办；不改动任何内容',
  'before the first run: folder, address, key, clock and programs':
    '首次运行之前：文件夹、地址、密钥、时钟和程序',
  'of another folder, for a script or a report of a fault': '另一个文件夹的情况，供脚本或报告故障使用',
  'make a video of every question in FILE; the same command resumes':
    '为 FILE 中的每道题制作视频；同一命令可继续',
  'a pilot: what does a video cost?': '试做：一个视频要多少积分？',
  'the rest, within a budget': '其余的，在预算之内',
  'a rehearsal: no account, no points': '演练：不用账号，不花积分',
  'with the options of a job file': '使用作业文件里的选项',
  'show where the run stands, also while it is going; --decisions: who decided about money':
    '显示运行的进展，运行当中也可以；--decisions：谁对花费做了决定',
  'for a script': '供脚本使用',
  'who paid for rows again, and who changed the cap': '谁为某些行再次付费，谁改了上限',
  'show the run as a page, also while it is going; --open opens it in your browser':
    '用网页显示运行情况，运行当中也可以；--open 在浏览器中打开',
  'the page of ./videos, live, in your browser': '在浏览器中实时显示 ./videos 的网页',
  'marks are saved with the run, and everybody sees them': '标记随运行保存，所有人都能看到',
  'continue from the checkpoint alone, with the options of the run': '只凭存档继续，沿用本次运行的选项',
  'continue the run in ./videos': '继续 ./videos 中的运行',
  'with a larger budget; saved for later runs': '提高预算；以后的运行也沿用',
  'poll and download what is already paid for, submit nothing': '查询并下载已付费的视频，不提交任何内容',
  'fetch what the service has made since': '取回服务此后做好的视频',
  'also make the calls that failed or were never made, as `status` lists them':
    '并补上 `status` 列出的失败或未做的调用',
  'make a new, paid attempt for rows that ended badly; continues like resume':
    '为结果不好的行再付费尝试一次；像 resume 一样继续',
  'all rows that failed': '所有失败的行',
  'these two, whatever their status': '这两行，不论状态如何',
  'show which rows, and what they may cost; send nothing': '显示是哪些行、可能花多少积分；不发送任何内容',
  'rows marked as bad on the page, from the exported marks': '网页上标记为“差”的行，取自导出的标记',
  'the same, from the marks that `batch view --review` has saved':
    '同上，取自 `batch view --review` 保存的标记',
  'finals of the good drafts': '为好的草稿制作成片',
  'settle uncertain or lost rows: adopt tasks, or return to pending':
    '处理待确认或已丢失的行：认领任务，或改回待提交',
  'your account shows the task': '您的账号里有这个任务',
  'it shows none; the next run sends the row again and pays for it':
    '账号里没有；下次运行会重新发送这一行并付费',
  'all uncertain rows, and when their tasks would have been created':
    '所有待确认的行，以及任务可能创建的时间',
  'with task_id filled in: a task, not-created, or nothing to leave the row':
    '填好 task_id：任务编号、not-created，或留空不处理',
  'an id that starts with - comes last, after --': '以 - 开头的编号放在最后，-- 之后',
  'put the videos into a folder, under names of your choice; with a manifest':
    '把视频放进一个文件夹，名称由您决定；附清单',
  'all completed videos, as ID.mp4': '所有已完成的视频，命名为 ID.mp4',
  'in a folder for each chapter': '每章一个文件夹',
  'those marked as good in `batch view --review`': '在 `batch view --review` 中标记为“好”的',
  'those marked as good in a file of marks': '标记文件中标记为“好”的',
  'again: adds what is new, and removes what no longer belongs there':
    '再次导出：加入新的，移除不再属于那里的',
  'change a run while it goes, within two seconds; saved for later runs':
    '更改正在进行的运行，两秒内生效；以后的运行也沿用',
  'more at once, with a larger budget': '同时做更多，预算更高',
  'without a cap': '不设积分上限',
  'a shared run: 100 more rows, all workers together': '共享运行：再提交 100 行，所有工作进程合计',
  'submit nothing for a while; polls and downloads go on': '暂时不提交；查询和下载照常',
  'until `batch continue`': '直到 `batch continue`',
  'the run waits, and goes on by itself': '运行等待，到时自行继续',
  'end the pause of a run': '结束运行的暂停',
  'the run in ./videos submits again': './videos 中的运行重新开始提交',
  'end the run that goes, as Ctrl-C does, from anywhere; then show where it stands':
    '从任何地方结束正在进行的运行，与 Ctrl-C 相同；然后显示进展',
  'waits for creations on their way, and until the run in ./videos has ended':
    '等待在途的提交，直到 ./videos 中的运行结束',
  'as a second Ctrl-C': '相当于第二次按 Ctrl-C',
  'all workers of a shared run': '共享运行的所有工作进程',
  'only this one; the others take over its rows': '只结束这一个；其他工作进程接手它的行',
  'rebuild the reports from the checkpoint': '根据存档重新生成报告',
  'reports as of now, while a run is going': '运行当中，生成此刻的报告',
  'compare the files with the checkpoint; --fix downloads damaged ones again, --deep looks into the videos':
    '对照存档检查文件；--fix 重新下载损坏的文件，--deep 检查视频内容',
  'after a disk failure, or a deleted file': '磁盘出过故障，或文件被删除之后',
  'which videos to look at first': '先看哪些视频',
  'compare the statement of the account with the run, task by task; changes nothing':
    '逐个任务比对账户的账单与运行；不改动任何内容',
  'statement of the account (Excel, CSV or JSONL), and output folders (default: ./videos)':
    '账户的账单（Excel、CSV 或 JSONL），以及输出文件夹（默认 ./videos）',
  'against the run in ./videos': '与 ./videos 中的运行比对',
  'against two runs, with the sums of each chapter': '与两个运行比对，并列出每个 chapter 的合计',
  'with a column whose name is not recognized': '指定一个没有认出列名的列',
  'and propose tasks for uncertain rows': '并为待确认的行推荐任务',
  'something matched, and no difference is left': '有一致的任务，没有差异',
  'there are differences, or nothing matched': '有差异，或没有一致的任务',
  'wrong use, a statement that cannot be read, or there is no run in DIR':
    '用法错误、账单无法读取，或 DIR 中没有运行',
  'print fresh links of the files of these rows, free of charge; changes nothing':
    '显示这些行的文件的新链接，免费；不改动任何内容',
  'a video that batch could not fetch: open its link in a browser':
    'batch 没能取回的视频：在浏览器中打开它的链接',
  'choose which attempt has the video of a row': '选择一行采用哪次尝试的视频',
  'the first attempt was better; the other video stays on the disk': '第一次尝试更好；另一个视频仍留在磁盘上',
  'as chosen on the page, from the exported marks': '按网页上的选择，取自导出的标记',
  'work on a run that several machines share': '参与多台机器共同进行的运行',
  'one of any number of workers': '任意多个工作进程之一',
  'with BATCH_STORE set; ends when nothing is left': '已设置 BATCH_STORE；没有剩余的行时结束',
  'take the run in DIR to several machines': '把 DIR 中的运行转到多台机器上',
  'rows, attempts and files; the folder stays as it is': '行、尝试和文件；原文件夹保持不变',
  'run the embedded service on loopback: no account, no points': '在本机运行内置服务：不用账号，不花积分',
  'a service with bad days': '一个常出状况的服务',
  'print a script that completes commands and options in your shell': '输出一段脚本，让 shell 补全命令和选项',
  'for bash, from the next session on': '用于 bash，下次登录起生效',
  'for zsh; ~/.zshrc has: fpath+=~/.zfunc; autoload -U compinit; compinit':
    '用于 zsh；~/.zshrc 中写入：fpath+=~/.zfunc; autoload -U compinit; compinit',
  'for fish': '用于 fish',

  'every row can be sent; with --online, address and key are right':
    '每一行都可以发送；用 --online 时，地址和密钥正确',
  'some rows cannot be sent, or it is not sure that the service answered':
    '有些行不能发送，或不能确定答复来自该服务',
  'wrong use, unreadable input, DIR holds another run, or the address is not the service':
    '用法错误、输入读不了、DIR 中是另一次运行，或该地址不是该服务',
  'the service refused the key': '服务拒绝了密钥',
  'the service cannot be reached': '连不上服务',
  'a bug in batch': 'batch 的缺陷',
  'every row has its video': '每一行都有视频',
  'finished, but some rows have none (failed, rejected, undelivered, lost or invalid)':
    '已结束，但有些行没有视频（失败、被拒绝、未取回、已丢失或无效）',
  'wrong use or unreadable input; nothing was sent': '用法错误或输入读不了；没有发送任何内容',
  'stopped with work left (points cap, --halt, --limit, --sample, --only, service out of reach, disk full)':
    '停止时还有剩余（积分上限、--halt、--limit、--sample、--only、连不上服务、磁盘已满）',
  'uncertain rows wait for `batch resolve`': '有待确认的行，等待 `batch resolve`',
  'another process holds the folder': '另一个进程占用着该文件夹',
  'interrupted (SIGINT, SIGTERM or `batch stop`); the same command resumes':
    '已中断（SIGINT、SIGTERM 或 `batch stop`）；同一命令可继续',
  'interrupted (SIGINT, SIGTERM or `batch stop`); `batch resume` continues':
    '已中断（SIGINT、SIGTERM 或 `batch stop`）；用 `batch resume` 继续',
  'nothing is missing that a run needs': '运行所需的一切齐备',
  'something is': '有缺失',
  shown: '已显示',
  'wrong use, or there is no run in DIR': '用法错误，或 DIR 中没有运行',
  'settled, or listed': '已处理，或已列出',
  'settled but for rows about whose tasks the service did not answer; the same command asks again':
    '已处理，但服务没有回答某些行的任务；同一命令会再次询问',
  'wrong use, a row that is neither uncertain nor lost, a task the service does not know, or a row whose task may still appear, without --yes; nothing was changed':
    '用法错误、该行既非待确认也非已丢失、服务不认识的任务，或任务仍可能出现而没有 --yes；没有改动任何内容',
  'with a page for pupils, in chapters': '带一个给学生看的网页，按章节分组',
  exported: '已导出',
  'exported, but for rows without a video and files that are in the way of others':
    '已导出，但有些行没有视频，或有文件彼此冲突',
  'the disk refused a write, or the store or bucket does not answer; the same command goes on':
    '磁盘拒绝写入，或数据库、存储桶没有答复；同一命令可继续',
  'another export writes there': '另一次导出正在写入那里',
  'saved with the run': '已随运行保存',
  'the disk refused a write, or the store does not answer': '磁盘拒绝写入，或数据库没有答复',
  'what worked on the run has ended, or nothing did': '处理该运行的进程已结束，或本来就没有',
  written: '已写入',
  'every file is whole, whatever --deep names': '每个文件都完整，不论 --deep 列出了什么',
  'some files are damaged or missing': '有些文件损坏或缺失',
  'interrupted by SIGINT, SIGTERM': '被 SIGINT、SIGTERM 中断',
  'every row has a link to its video': '每一行都有视频的链接',
  'some rows have none': '有些行没有',
  'the service did not answer': '服务没有答复',
  'wrong use, there is no run in DIR, or no such row or video; nothing was changed':
    '用法错误、DIR 中没有运行，或没有这一行或这个视频；没有改动任何内容',
  moved: '已移动',
  'wrong use, other processes work on the run, or another run is there':
    '用法错误、有其他进程在处理该运行，或那里是另一次运行',
  'the store does not answer, or the disk or bucket refused a write; the same command goes on':
    '数据库没有答复，或磁盘、存储桶拒绝写入；同一命令可继续',
  interrupted: '已中断',
  printed: '已输出',
  'wrong use': '用法错误',

  Faults: '故障',
  'capacity=N: a creation is answered as by rate-limit while N tasks are open':
    'capacity=N：有 N 个任务在进行时，提交得到与 rate-limit 相同的答复',
  'a creation is answered with 429 and Retry-After: 1; no task': '提交得到 429 和 Retry-After: 1；没有任务',
  'a creation is refused temporarily, with the error envelope (503); no task':
    '提交被暂时拒绝，附错误信息（503）；没有任务',
  'a creation is refused permanently, with the error envelope; no task':
    '提交被永久拒绝，附错误信息；没有任务',
  'a creation is answered with a bare 502 page; no task': '提交得到一个 502 网页；没有任务',
  'the connection is reset before the creation is accepted; no task': '提交被接受之前连接中断；没有任务',
  'the connection is reset after the creation is accepted; the task is made and charged':
    '提交被接受之后连接中断；任务已创建并收费',
  'an accepted creation is answered with broken JSON; the task is made and charged':
    '提交被接受，但答复是残缺的 JSON；任务已创建并收费',
  'a creation or a status request is answered three seconds late': '提交或状态查询的答复晚三秒',
  'a status request is answered with a bare 503 page': '状态查询得到一个 503 网页',
  'a task reports an undocumented state during the second half of its life':
    '任务在后一半时间里报告一个没有说明过的状态',
  'the service forgets a task halfway; it is never charged': '服务中途忘记了任务；不收费',
  'a task is completed and charged, but its result has no video': '任务已完成并收费，但结果里没有视频',
  'the first link to a file has already expired; later ones work': '文件的第一个链接已过期；之后的有效',
  'the first download of a video returns an HTML page with status 200':
    '第一次下载视频得到一个状态为 200 的 HTML 网页',
  'the first download of a file is cut off halfway': '第一次下载文件中途断开',
  'a video arrives whole, but it is cut off, far too short, or that of another question':
    '视频完整到达，但内容被截断、过短，或属于另一道题',
};
