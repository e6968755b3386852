import { showUsd } from '../domain/money'
import type { Notice, NoticeKind } from '../domain/notice'

/** What a notice says to a person, in both languages. */
export interface NoticeText {
  readonly fa: string
  readonly en: string
}

export function noticeText(notice: Notice): NoticeText {
  const { fa, en } = texts[notice.kind]
  const facts: Facts = {
    account: notice.subject.account?.name ?? '',
    project: notice.subject.project?.name ?? '',
    key: notice.subject.key?.name ?? '',
    limit: showUsd(notice.limit),
    amount: showUsd(notice.amount),
    period: notice.period,
    full: notice.threshold === 100,
  }
  return { fa: fa(facts), en: en(facts) }
}

interface Facts {
  readonly account: string
  readonly project: string
  readonly key: string
  readonly limit: string
  readonly amount: string
  readonly period: string
  /** The cap is used up, not only nearly. */
  readonly full: boolean
}

const share = ({ full }: Facts): string => (full ? '100 %' : '80 %')
const shareFa = ({ full }: Facts): string => (full ? '۱۰۰٪' : '۸۰٪')
const spentOf = ({ amount, limit }: Facts): string => `$${amount} of $${limit} is spent`
const spentOfFa = ({ amount, limit }: Facts): string => `${amount} از ${limit} دلار خرج شده است`

const texts: Readonly<Record<NoticeKind, Record<'fa' | 'en', (facts: Facts) => string>>> = {
  key_spend_limit: {
    en: (f) =>
      `The key “${f.key}” (project “${f.project}”) has reached ${share(f)} of its spend limit: ${spentOf(f)}.` +
      (f.full ? ' Its calls are refused now.' : '') +
      ' Raise the limit of the key if it is to go on.',
    fa: (f) =>
      `کلید «${f.key}» (پروژهٔ «${f.project}») به ${shareFa(f)} سقف هزینهٔ خود رسید: ${spentOfFa(f)}.` +
      (f.full ? ' اکنون درخواست‌های آن پذیرفته نمی‌شود.' : '') +
      ' اگر باید ادامه دهد، سقف کلید را بالا ببرید.',
  },
  project_monthly_budget: {
    en: (f) =>
      `The project “${f.project}” has reached ${share(f)} of its budget for ${f.period}: ${spentOf(f)}.` +
      (f.full ? ' Its calls are refused until the month ends (UTC).' : '') +
      ' Raise the budget if it is to go on.',
    fa: (f) =>
      `پروژهٔ «${f.project}» به ${shareFa(f)} بودجهٔ ماه ${f.period} رسید: ${spentOfFa(f)}.` +
      (f.full ? ' تا پایان ماه (UTC) درخواست‌های آن پذیرفته نمی‌شود.' : '') +
      ' اگر باید ادامه دهد، بودجه را بالا ببرید.',
  },
  account_daily_cap: {
    en: (f) =>
      `The account “${f.account}” has reached ${share(f)} of its daily cap for ${f.period}: ${spentOf(f)}.` +
      (f.full ? ' Its calls are refused until midnight UTC.' : '') +
      ' Ask support for a higher cap if it is to go on today.',
    fa: (f) =>
      `حساب «${f.account}» به ${shareFa(f)} سقف هزینهٔ روز ${f.period} رسید: ${spentOfFa(f)}.` +
      (f.full ? ' تا نیمه‌شب UTC درخواست‌های آن پذیرفته نمی‌شود.' : '') +
      ' اگر باید امروز ادامه دهد، از پشتیبانی سقف بالاتری بخواهید.',
  },
  preverification_ceiling: {
    en: (f) =>
      `The account “${f.account}” has reached ${share(f)} of what can be spent before verification: ${spentOf(f)}.` +
      (f.full ? ' Its calls are refused now.' : '') +
      ' Verify its identity to go on.',
    fa: (f) =>
      `حساب «${f.account}» به ${shareFa(f)} سقف هزینهٔ پیش از احراز هویت رسید: ${spentOfFa(f)}.` +
      (f.full ? ' اکنون درخواست‌های آن پذیرفته نمی‌شود.' : '') +
      ' برای ادامه، هویت صاحب حساب را تأیید کنید.',
  },
  service_day_capacity: {
    en: (f) =>
      `The whole service has reached ${share(f)} of its capacity for ${f.period}: ${spentOf(f)}.` +
      (f.full ? ' All calls that cost money are refused until midnight UTC.' : ''),
    fa: (f) =>
      `کل سرویس به ${shareFa(f)} ظرفیت روز ${f.period} رسید: ${spentOfFa(f)}.` +
      (f.full ? ' تا نیمه‌شب UTC هیچ درخواست هزینه‌داری پذیرفته نمی‌شود.' : ''),
  },
  balance_floor: {
    en: (f) =>
      `The balance of the account “${f.account}” is $${f.amount}, below the floor of $${f.limit}. Top it up before its calls are refused.`,
    fa: (f) =>
      `موجودی حساب «${f.account}» ${f.amount} دلار است؛ کمتر از کف ${f.limit} دلار. پیش از آنکه درخواست‌ها پذیرفته نشود، حساب را شارژ کنید.`,
  },
  sample: {
    en: () => 'This is a sample: notices reach you on this channel.',
    fa: () => 'این یک نمونه است: اعلان‌ها از این راه به شما می‌رسند.',
  },
}
