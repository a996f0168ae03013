/** What is said of a service or a host that does not do what it was asked, in Chinese: it is saved with rows as English text. */

import type { Sentence } from './sentences.ts';

/** The same with the answer of the service behind it. */
const withAnswer = (sentences: readonly Sentence[]): readonly Sentence[] =>
  sentences.flatMap(([english, chinese]): readonly Sentence[] => [
    [english, chinese],
    [`${english}; answer: {answer}`, `${chinese}；答复：{answer}`],
  ]);

/** The same with its host in front of it. */
const ofHost = (sentences: readonly Sentence[]): readonly Sentence[] =>
  sentences.flatMap(([english, chinese]): readonly Sentence[] => [
    [english, chinese],
    [`{place}: ${english}`, `{place}：${chinese}`],
  ]);

/** A request without an answer, and what to do. */
const silences: readonly Sentence[] = [
  ['no answer from {placeSaid}: {whySaid}', '{placeSaid} 没有答复：{whySaid}'],
  ['{placeSaid} cannot be used: {whySaid}', '{placeSaid} 无法使用：{whySaid}'],
  ['{placeSaid} cannot be reached: {whySaid}', '无法连接 {placeSaid}：{whySaid}'],
  ['sent to {placeSaid}, but no answer came: {whySaid}', '已发送到 {placeSaid}，但没有收到答复：{whySaid}'],
  ['not sent to {placeSaid}: {whySaid}', '没有发送到 {placeSaid}：{whySaid}'],
  [
    'the proxy requires credentials: add user and password to its address',
    '代理要求凭证：请在它的地址中加上用户名和密码',
  ],
  ['check --base-url', '请检查 --base-url'],
  ['check --base-url and the API key', '请检查 --base-url 和 API 密钥'],
  ['check --base-url, or ask its owner for HTTP/1.1', '请检查 --base-url，或请它的所有者提供 HTTP/1.1'],
  [
    'the certificate has expired: its owner must renew it, unless the clock of this computer is wrong',
    '证书已过期：须由它的所有者更新；也可能是这台电脑的时间不对',
  ],
  [
    'check --base-url; for a private certificate authority, set NODE_EXTRA_CA_CERTS',
    '请检查 --base-url；如果使用私有的证书颁发机构，请设置 NODE_EXTRA_CA_CERTS',
  ],
  [
    'the program was stopped after the creation may have been sent and before its answer was saved',
    '程序停止时，提交可能已发送，而答复还没有保存',
  ],
  ['the store had forgotten this creation', '存储遗漏了这次提交'],
  ['the run was stopped before the creation was sent', '发送提交之前，运行已停止'],
  [
    'the program was paused, or its store was away, before the creation was sent',
    '发送提交之前，程序被暂停，或它的存储没有答复',
  ],
];

/** An answer that says nothing of the task that was asked for. */
const answers: readonly Sentence[] = [
  ...withAnswer([
    ['HTTP {status} without a readable task id', 'HTTP {status}，读不出任务编号'],
    ['HTTP {status}, an error that names a task', 'HTTP {status}，报错，但其中有任务编号'],
    ['HTTP {status} without the word success', 'HTTP {status}，没有 success 一词'],
    ['HTTP {status} without a state of the task', 'HTTP {status}，没有任务的状态'],
    ['HTTP {status}, but {whySaid}', 'HTTP {status}，但{whySaid}'],
  ]),
  ['HTTP {status} without a task id', 'HTTP {status}，没有任务编号'],
  ['HTTP {status} to {target} without a task id', 'HTTP {status} 转到 {target}，没有任务编号'],
  ['{failureSaid} (not an error message of the service)', '{failureSaid}（不是服务的错误信息）'],
  [
    'HTTP {status} (through the proxy of {variable}, {host}): {answer}',
    'HTTP {status}（通过 {variable} 的代理 {host}）：{answer}',
  ],
  [
    'HTTP {status} (through the proxy of {variable}, {host})',
    'HTTP {status}（通过 {variable} 的代理 {host}）',
  ],
  [
    'the service redirects creations to {target}; put the final address in --base-url',
    '服务把提交转到 {target}；请把最终的地址写在 --base-url 中',
  ],
  [
    'the service redirects creations without a target; check --base-url',
    '服务转走提交，却没有给出目标；请检查 --base-url',
  ],
  ['it redirects to {target}', '它转到 {target}'],
  ['it redirects', '它转到别处'],
  ['{place} answers as the service does', '{place} 的答复与该服务相符'],
  ['a page answered: {failureSaid}', '答复的是一个网页：{failureSaid}'],
  ['the answer is about another task, {task}', '答复的是另一个任务 {task}'],
  ["the service's answers could not be read: {whySaid}", '服务的答复无法读取：{whySaid}'],
  ['the service gave no reason', '服务没有给出原因'],
  ['the service refused the API key: {failureSaid}', '服务拒绝了 API 密钥：{failureSaid}'],
  ['it asked an earlier run for a pause', '它曾要求上次运行暂停'],
  ['the service answered with task {task}, which belongs to row {id}', '服务答复的任务 {task} 属于行 {id}'],
  ['the service completed the task without a video', '服务完成了任务，但没有视频'],
  ['the service completed the task without a video: {text}', '服务完成了任务，但没有视频：{text}'],
  [
    'the service named {count} videos for this task, and the first that could be fetched is kept; "batch links" shows all of them',
    '服务为这个任务给出了 {count} 个视频，保留了能下载的第一个；"batch links" 显示全部',
  ],
  ['the service no longer reports the task as completed', '服务不再报告任务已完成'],
];

/** A file that cannot be fetched. */
const transfers: readonly Sentence[] = [
  ...ofHost([
    [
      'the host has a different file now, or does not resume downloads',
      '服务器上的文件已不同，或它不支持续传',
    ],
    ['the file is too large for a {kindSaid}', '对{kindSaid}来说文件过大'],
    ['the host sends almost nothing', '服务器几乎不发送数据'],
    ['the transfer ended after {part} of {total} bytes', '传输在 {total} 字节中的 {part} 字节处结束'],
    ['{part} bytes arrived, but {total} were announced', '收到 {part} 字节，而服务器说有 {total} 字节'],
    ['the file is empty', '文件是空的'],
    ['the transfer was cut before the end of the file', '传输在文件结束之前中断'],
    ['the transfer was cut: {whySaid}', '传输中断：{whySaid}'],
    ['refused with HTTP {status}', '以 HTTP {status} 拒绝'],
    ['answered HTTP {status}', '答复 HTTP {status}'],
    ['sent a part that was not requested', '发来了没有要求的部分'],
    [
      'the length was not announced, and a second reading answered HTTP {status}',
      '没有说明长度，再次读取时答复 HTTP {status}',
    ],
    ['the length was not announced, and two readings differ', '没有说明长度，两次读取的内容不同'],
    ['sent in an encoding that cannot be undone', '使用了无法还原的编码'],
    ['its {encoding} encoding cannot be undone: {whySaid}', '它的 {encoding} 编码无法还原：{whySaid}'],
    ['no data arrived for too long', '太久没有收到数据'],
    ['connection lost', '连接断开'],
    ['no answer within {seconds} s', '{seconds} 秒内没有答复'],
    ['more than {count} redirects', '跳转超过 {count} 次'],
    ['redirected to something other than an http(s) address', '跳转到的不是 http(s) 地址'],
    ['redirected from https to http ({target})', '从 https 跳转到了 http（{target}）'],
    [
      '{host} is a loopback, private or link-local address, and the service is not at one: a link must not lead into this network',
      '{host} 是本机、内网或链路本地地址，而服务不在这样的地址：链接不得通向这个网络',
    ],
    [
      '{host} resolves here to {address}, a loopback, private or link-local address, and the service is not at one: a link must not lead into this network',
      '{host} 在这里解析为 {address}，是本机、内网或链路本地地址，而服务不在这样的地址：链接不得通向这个网络',
    ],
    ['it took longer than {seconds} s', '超过了 {seconds} 秒'],
  ]),
  ['correct the DNS of this computer, or set HTTPS_PROXY', '请改正这台电脑的 DNS，或设置 HTTPS_PROXY'],
  ['the link is not a plain http(s) address', '链接不是普通的 http(s) 地址'],
  ['the link leads to {foundSaid}, not {wantedSaid}', '链接指向{foundSaid}，而不是{wantedSaid}'],
  ['{failureSaid} (given up after {tries} tries)', '{failureSaid}（尝试 {tries} 次后放弃）'],
  ['{place} fails for all frames', '{place} 的帧都无法下载'],
  ['other workers of this run could not fetch them', '这个运行的其他工作进程无法下载它们'],
];

export const serviceSentences: readonly Sentence[] = [...silences, ...answers, ...transfers];

export const serviceParts: readonly Sentence[] = [
  ['{place} (through the proxy of {variable}, {host})', '{place}（通过 {variable} 的代理 {host}）'],
  ['it speaks only HTTP/2, and batch speaks HTTP/1.1', '它只用 HTTP/2，而 batch 用 HTTP/1.1'],
  ['no complete answer within {seconds} s', '{seconds} 秒内没有完整的答复'],
  ['the answer is longer than {bytes} bytes', '答复超过 {bytes} 字节'],
  ['the program is exiting', '程序正在退出'],
  ['the body is not JSON', '内容不是 JSON'],
  ['the body is incomplete: {whySaid}', '内容不完整：{whySaid}'],
  ['its content-encoding {name} cannot be read', '它的编码 {name} 无法读取'],
  ['it unpacks to far more than was sent', '解压后远大于发送的内容'],
  ['video', '视频'],
  ['frame', '帧'],
  ['an image', '图片'],
  ['a page', '网页'],
  ['a text', '文字'],
  ['a video', '视频'],
  ['a file', '文件'],
];
