/** The statuses as people read them: the same words on the terminal and on the page. Files and programs have the English ones. */

import { type Status, statuses } from '../money/item.ts';
import type { Language } from './languages.ts';

type StatusNames = Readonly<Record<Status, string>>;

const english = Object.fromEntries(statuses.map((status) => [status, status])) as StatusNames;

const chinese: StatusNames = {
  pending: '待提交',
  submitting: '提交中',
  open: '生成中',
  downloading: '下载中',
  completed: '已完成',
  failed: '失败',
  rejected: '被拒绝',
  uncertain: '待确认',
  undelivered: '未取回',
  lost: '已丢失',
  invalid: '无效',
};

export const statusNames: Readonly<Record<Language, StatusNames>> = { en: english, zh: chinese };
