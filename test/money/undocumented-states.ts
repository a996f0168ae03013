/** What a task is that is answered about otherwise than documented, by what comes with it: played on the judge alone, and through the program. */

/** `judged` is the state that it counts as. */
export interface UndocumentedState {
  readonly name: string;
  readonly judged: 'COMPLETED' | 'FAILED' | 'IN_PROGRESS';
  /** The data of the answer; `link` is where its video would be. */
  readonly data: (link: string) => object;
  /** The HTTP status, 200 by default, and the word of the envelope, success by default. */
  readonly http?: number;
  readonly word?: string;
  /** The state is documented, and does not go with the video; the reason of the service. */
  readonly contrary?: { readonly text?: string };
}

const score = (value: unknown) => [{ type: 'score', value }];
const video = (content: unknown) => ({ type: 'video', content });
export const reason = '题目无法识别';
const text = { type: 'text', content: reason };

/** The video of a task that is called unfinished, failed, or is in an answer that is an error. */
const videoAllTheSame = [
  { name: 'a video in progress', status: 'in progress', contrary: {} },
  { name: 'a failed video', status: 'FAILED', contrary: {} },
  { name: 'a failed video and a text', status: 'FAILED', more: [text], contrary: { text: reason } },
  ...[302, 401, 402, 403, 404, 429, 500, 503].map((http) => ({ name: `a video under HTTP ${http}`, http })),
  { name: 'a video in an error', word: 'error' },
  { name: 'a video in an error under HTTP 500', word: 'error', http: 500 },
  { name: 'a video behind another word and state', word: 'ok', status: 'DONE' },
].map(
  ({ status = 'COMPLETED', more = [], ...state }: Partial<Around>): UndocumentedState => ({
    name: '',
    judged: 'COMPLETED',
    ...state,
    data: (link) => ({ status, result: [...more, video(link)], consumption: score(10) }),
  }),
);

interface Around extends UndocumentedState {
  readonly status: string;
  readonly more: readonly object[];
}

/** The answer, whose data say this. */
export const answerOf = ({ word = 'success', data }: UndocumentedState, taskId: string, link: string) => ({
  status: word,
  data: { task_id: taskId, ...data(link) },
});

export const undocumentedStates: readonly UndocumentedState[] = [
  ...videoAllTheSame,
  {
    name: 'a video and its points',
    judged: 'COMPLETED',
    data: (link) => ({ status: 'SUCCEEDED', result: [video(link)], consumption: score(12) }),
  },
  {
    name: 'a video without points, and a text',
    judged: 'COMPLETED',
    data: (link) => ({ status: '已完成', result: [text, video(link)] }),
  },
  {
    name: 'a video for 0 points, as one object',
    judged: 'COMPLETED',
    data: (link) => ({ status: 'done', result: { type: 'Video', content: link }, consumption: score(0) }),
  },
  {
    name: 'a video and no state',
    judged: 'COMPLETED',
    data: (link) => ({ result: [video(link)], consumption: score(12) }),
  },
  {
    name: 'a video and a blank state',
    judged: 'COMPLETED',
    data: (link) => ({ status: ' \t', result: [video(link)], consumption: score(12) }),
  },
  {
    name: 'a video and a number for a state',
    judged: 'COMPLETED',
    data: (link) => ({ status: 3, result: [video(link)], consumption: score(12) }),
  },
  {
    name: 'only a text, for 0 points',
    judged: 'FAILED',
    data: () => ({ status: 'ERROR', result: [text], consumption: score(0) }),
  },
  {
    name: 'only a text, as one object, for 0 points in words',
    judged: 'FAILED',
    data: () => ({ status: 'cancelled', result: text, consumption: score('0') }),
  },
  {
    name: 'only a text, for 0 points, and no state',
    judged: 'FAILED',
    data: () => ({ result: [text], consumption: score(0) }),
  },
  {
    name: 'nothing',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'QUEUED' }),
  },
  {
    name: 'frames alone',
    judged: 'IN_PROGRESS',
    data: (link) => ({ status: 'RENDERING', progress: [{ id: '1', image: link.replace('video', 'frame') }] }),
  },
  {
    name: '0 points alone',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'ACCEPTED', consumption: score(0), result: [] }),
  },
  {
    name: 'only a text, without points',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'PENDING', result: [text] }),
  },
  {
    name: 'only a text, for points of another type',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'PENDING', result: [text], consumption: [{ type: 'money', value: 0 }] }),
  },
  {
    name: 'only a text, for some points',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'ENDED', result: [text], consumption: score(5) }),
  },
  {
    name: 'only a text, for points that cannot be read',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'ENDED', result: [text], consumption: score('none') }),
  },
  {
    name: 'a text and a video without a link, for 0 points',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'UPLOADING', result: [text, video(' ')], consumption: score(0) }),
  },
  {
    name: 'a text and a sound, for 0 points',
    judged: 'IN_PROGRESS',
    data: (link) => ({
      status: 'DUBBING',
      result: [{ type: 'audio', content: link }, text],
      consumption: score(0),
    }),
  },
  {
    name: 'a link that is not called a video',
    judged: 'IN_PROGRESS',
    data: (link) => ({
      status: 'DRAFT',
      result: [{ type: 'preview', content: link }],
      consumption: score(3),
    }),
  },
  {
    name: 'a blank text, for 0 points',
    judged: 'IN_PROGRESS',
    data: () => ({ status: 'WAITING', result: [{ type: 'text', content: ' ' }], consumption: score(0) }),
  },
];
