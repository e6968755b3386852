import { isCountNotice, showAmount, type Notice, type NoticeKind } from '../../domain/notice'
import { isolated, persian } from '../../errors/bidi-isolates'
import { usdFa } from '../../errors/texts-fa'
import { holderTexts, type NoticeFacts, type Sentences } from './recipients/texts'

/** Text of a notice for a person, in both languages. */
export interface NoticeText {
  readonly fa: string
  readonly en: string
}

export function noticeText(notice: Notice): NoticeText {
  return sentenceOf(notice, texts[notice.kind])
}

/** One pair of sentences with the facts of a notice in it. */
export function sentenceOf(notice: Notice, { fa, en }: Sentences): NoticeText {
  const facts: NoticeFacts = {
    account: notice.subject.account?.name ?? '',
    project: notice.subject.project?.name ?? '',
    key: notice.subject.key?.name ?? '',
    limit: showAmount(notice.kind, notice.limit),
    amount: showAmount(notice.kind, notice.amount),
    period: notice.period,
    vendor: notice.subject.source?.vendor ?? notice.subject.vendor?.name ?? '',
    credential: notice.subject.vendor?.credential ?? null,
    model: notice.subject.source?.model ?? '',
    served: notice.subject.source?.served ?? '',
    payment: notice.subject.payment ?? null,
    operator: notice.subject.operator?.name ?? '',
    reached: notice.threshold === 80 ? 'most' : notice.amount < notice.limit ? 'end' : 'all',
    of: (name) => notice.subject.facts?.[name] ?? '',
  }
  const inPersian = isCountNotice(notice.kind)
    ? {}
    : { limit: usdFa(notice.limit), amount: usdFa(notice.amount) }
  return { fa: fa({ ...facts, ...inPersian }), en: en(facts) }
}

const share = { most: '80 % of', all: '100 % of', end: 'the end of' }
const shareFa = { most: '80٪', all: '100٪', end: 'پایان' }
const spentOf = ({ amount, limit }: NoticeFacts): string => `$${amount} of $${limit} is spent`
const spentOfFa = ({ amount, limit }: NoticeFacts): string =>
  persian`${amount} از ${limit} دلار خرج شده است`

/** Consequence for calls. @param all said when nothing is left */
const calls = (all: string, { reached }: NoticeFacts): string =>
  ({ most: '', all: ` ${all}`, end: ' A call that needs more than the rest was refused.' })[reached]
const callsFa = (all: string, { reached }: NoticeFacts): string =>
  ({
    most: '',
    all: ` ${all}`,
    end: ' درخواستی که بیش از باقی‌مانده لازم داشت پذیرفته نشد.',
  })[reached]

const texts: Readonly<Record<NoticeKind, Sentences>> = {
  ...holderTexts,
  key_spend_limit: {
    en: (f) =>
      `The key “${f.key}” (project “${f.project}”) has reached ${share[f.reached]} its spend limit: ${spentOf(f)}.` +
      calls('Its calls are refused now.', f) +
      ' Raise the limit of the key if it is to go on.',
    fa: (f) =>
      persian`کلید «${isolated(f.key)}» (پروژهٔ «${isolated(f.project)}») به ${shareFa[f.reached]} سقف هزینهٔ خود رسید: ${spentOfFa(f)}.` +
      callsFa(persian`اکنون درخواست‌های آن پذیرفته نمی‌شود.`, f) +
      ' اگر باید ادامه دهد، سقف کلید را بالا ببرید.',
  },
  project_monthly_budget: {
    en: (f) =>
      `The project “${f.project}” has reached ${share[f.reached]} its budget for ${f.period}: ${spentOf(f)}.` +
      calls('Its calls are refused until the month ends (UTC).', f) +
      ' Raise the budget if it is to go on.',
    fa: (f) =>
      persian`پروژهٔ «${isolated(f.project)}» به ${shareFa[f.reached]} بودجهٔ ماه ${f.period} رسید: ${spentOfFa(f)}.` +
      callsFa(persian`تا پایان ماه (UTC) درخواست‌های آن پذیرفته نمی‌شود.`, f) +
      ' اگر باید ادامه دهد، بودجه را بالا ببرید.',
  },
  account_daily_cap: {
    en: (f) =>
      `The account “${f.account}” has reached ${share[f.reached]} its daily cap for ${f.period}: ${spentOf(f)}.` +
      calls('Its calls are refused until midnight UTC.', f) +
      ' Ask support for a higher cap if it is to go on today.',
    fa: (f) =>
      persian`حساب «${isolated(f.account)}» به ${shareFa[f.reached]} سقف هزینهٔ روز ${f.period} رسید: ${spentOfFa(f)}.` +
      callsFa(persian`تا نیمه‌شب UTC درخواست‌های آن پذیرفته نمی‌شود.`, f) +
      ' اگر باید امروز ادامه دهد، از پشتیبانی سقف بالاتری بخواهید.',
  },
  preverification_ceiling: {
    en: (f) =>
      `The account “${f.account}” has reached ${share[f.reached]} what can be spent before verification: ${spentOf(f)}.` +
      calls('Its calls are refused now.', f) +
      ' Verify its identity to go on.',
    fa: (f) =>
      persian`حساب «${isolated(f.account)}» به ${shareFa[f.reached]} سقف هزینهٔ پیش از احراز هویت رسید: ${spentOfFa(f)}.` +
      callsFa(persian`اکنون درخواست‌های آن پذیرفته نمی‌شود.`, f) +
      ' برای ادامه، هویت صاحب حساب را تأیید کنید.',
  },
  service_day_capacity: {
    en: (f) =>
      `The whole service has reached ${share[f.reached]} its capacity for ${f.period}: ${spentOf(f)}.` +
      calls('All calls that cost money are refused until midnight UTC.', f),
    fa: (f) =>
      persian`کل سرویس به ${shareFa[f.reached]} ظرفیت روز ${f.period} رسید: ${spentOfFa(f)}.` +
      callsFa(persian`تا نیمه‌شب UTC هیچ درخواست هزینه‌داری پذیرفته نمی‌شود.`, f),
  },
  balance_floor: {
    en: (f) =>
      `The balance of the account “${f.account}” is $${f.amount}, below the floor of $${f.limit}. Top it up before its calls are refused.`,
    fa: (f) =>
      persian`موجودی حساب «${isolated(f.account)}» ${f.amount} دلار است؛ کمتر از کف ${f.limit} دلار. پیش از آنکه درخواست‌ها پذیرفته نشود، حساب را شارژ کنید.`,
  },
  vendor_counts_oddly: {
    en: (f) =>
      `The vendor “${f.vendor}” counted more for a call to “${f.model}” than it can use: $${f.amount}, of which $${f.limit} was charged. The rest is yours: see \`requests list --model ${f.model}\`, and check what the vendor bills.`,
    fa: (f) =>
      `تأمین‌کنندهٔ «${f.vendor}» برای درخواستی به «${f.model}» بیش از حد ممکن شمرده است: ${f.amount} دلار، که ${f.limit} دلار آن حساب شد. باقی بر عهدهٔ شماست: \`requests list --model ${f.model}\` را ببینید و صورت‌حساب تأمین‌کننده را بررسی کنید.`,
  },
  vendor_serves_otherwise: {
    en: (f) =>
      `The vendor “${f.vendor}” says that it served “${f.model}” with ${f.served}: its cost card has no price for that, so that the usual one is taken for an estimate, or it costs more than the customer pays, whom the price on sale holds for. See the settings of your account there, such as the tier of a project or the region of a workspace, and set what the vendor bills with \`price cost\`, such as \`--price input_per_million@priority=5\`.`,
    fa: (f) =>
      persian`تأمین‌کنندهٔ «${isolated(f.vendor)}» می‌گوید «${isolated(f.model)}» را با ${isolated(f.served)} پاسخ داده است: کارت هزینهٔ آن برایش بهایی ندارد و بهای معمول تخمین گرفته می‌شود، یا بیش از آن است که مشتری با بهای فروش می‌پردازد. تنظیمات حساب خود نزد آن، مانند رده یا منطقه، را بررسی و صورت‌حساب آن را با \`price cost\` ثبت کنید، مانند \`--price input_per_million@priority=5\`.`,
  },
  call_not_recorded: {
    en: (f) =>
      `The database rejected the record of the call ${f.of('request')}: it is recorded as failed, or not at all, and $${f.amount} of it was not charged. The log has the reason (\`call not recorded\`).`,
    fa: (f) =>
      persian`پایگاه داده ثبت درخواست ${isolated(f.of('request'))} را نپذیرفت: ناموفق ثبت شد یا ثبت نشد، و ${f.amount} دلار آن حساب نشد. دلیل در لاگ آمده است (${isolated('`call not recorded`')}).`,
  },
  sms_per_hour: {
    en: (f) =>
      `All ${f.limit} sign-in codes of an hour that sms-per-hour allows to those who ask are sent (${f.period}, UTC): further ones wait until it ends. See who asks for them, or raise sms-per-hour. Half of the hour is kept for devices and places that signed in before.`,
    fa: (f) =>
      `همهٔ ${f.limit} کد ورود یک ساعت که sms-per-hour به این درخواست‌ها می‌دهد فرستاده شد (${f.period}، UTC): بقیه تا پایان آن ساعت می‌مانند. ببینید چه کسی کد می‌خواهد، یا sms-per-hour را بالا ببرید. نیمی از هر ساعت برای دستگاه‌ها و جاهایی است که پیش‌تر وارد شده‌اند.`,
  },
  wrong_codes: {
    en: (f) =>
      `${f.limit} wrong sign-in codes were tried in one hour (${f.period}, UTC): somebody may be guessing.`,
    fa: (f) =>
      `در یک ساعت (${f.period}، UTC) ${f.limit} کد ورود نادرست زده شد: شاید کسی حدس می‌زند.`,
  },
  wrong_redeem_codes: {
    en: (f) =>
      `${f.limit} wrong redeem codes were tried in one hour (${f.period}, UTC): somebody may be guessing.`,
    fa: (f) =>
      `در یک ساعت (${f.period}، UTC) ${f.limit} کد شارژ نادرست زده شد: شاید کسی حدس می‌زند.`,
  },
  rate_too_old: {
    en: (f) =>
      `The rate of coins is of ${f.period}, and older than rate-max-age allows: top-ups by card are closed. Set the rate of today: \`rate set\`.`,
    fa: (f) =>
      `نرخ دلار از ${isolated(f.period)} است و کهنه‌تر از آنچه rate-max-age اجازه می‌دهد: افزایش اعتبار با کارت بسته است. نرخ امروز را بگذارید: ${isolated('`rate set`')}.`,
  },
  payment_unknown: {
    en: ({ payment }) =>
      `The gateway “${payment?.gateway}” holds a payment that is not in these books: ${payment?.reference}, ${payment?.amount} ${payment?.currency}, order ${payment?.id}. A restored backup may have lost it. Nothing was credited: find whose it is, then \`topup --coins\` with the reference ${payment?.reference}.`,
    fa: ({ payment }) =>
      `درگاه «${isolated(payment?.gateway ?? '')}» پرداختی دارد که در دفترهای اینجا نیست: ${isolated(payment?.reference ?? '')}، ${payment?.amount} ${payment?.currency}، سفارش ${isolated(payment?.id ?? '')}. شاید نسخهٔ پشتیبانی که بازگردانده شد آن را نداشته است. چیزی به حسابی افزوده نشد: صاحبش را بیابید، سپس ${isolated('`topup --coins`')} با همین شماره.`,
  },
  price_change_proposed: {
    en: (f) =>
      `A check of public prices proposes ${f.amount} changes: see \`prices list\`.` +
      (f.limit === '0' ? '' : ` The policy prices-auto applied ${f.limit} more by itself.`),
    fa: (f) =>
      `بررسی قیمت‌های عمومی ${f.amount} تغییر پیشنهاد می‌کند: \`prices list\` را ببینید.` +
      (f.limit === '0' ? '' : ` سیاست prices-auto خود ${f.limit} تغییر دیگر را اعمال کرد.`),
  },
  vendor_refuses_key: {
    en: (f) =>
      `The vendor “${f.vendor}” refuses our credential “${f.credential}”. Calls go by others, where there are any. Give it another one: \`vendor set ${f.vendor} --api-key-stdin\`, or \`vendor credential off ${f.vendor} ${f.credential}\`.`,
    fa: (f) =>
      `تأمین‌کنندهٔ «${isolated(f.vendor)}» کلید «${isolated(f.credential ?? '')}» ما را نمی‌پذیرد. درخواست‌ها، اگر راه دیگری باشد، از آن می‌روند. کلید دیگری بدهید: ${isolated(`\`vendor set ${f.vendor} --api-key-stdin\``)}، یا آن را خاموش کنید: ${isolated(`\`vendor credential off ${f.vendor} ${f.credential}\``)}.`,
  },
  vendor_out_of_money: {
    en: (f) =>
      `Our account at the vendor “${f.vendor}” (credential “${f.credential}”) has no money left. Calls go by others, where there are any. Top it up there; it is tried again every few minutes.`,
    fa: (f) =>
      `موجودی حساب ما نزد تأمین‌کنندهٔ «${isolated(f.vendor)}» (کلید «${isolated(f.credential ?? '')}») تمام شده است. درخواست‌ها، اگر راه دیگری باشد، از آن می‌روند. حساب را آنجا شارژ کنید؛ هر چند دقیقه دوباره آزموده می‌شود.`,
  },
  vendor_down: {
    en: (f) =>
      `The vendor “${f.vendor}” has failed since ${f.period}. Calls go by others, where there are any. See \`vendor show ${f.vendor}\`.`,
    fa: (f) =>
      `تأمین‌کنندهٔ «${isolated(f.vendor)}» از ${isolated(f.period)} پاسخ درستی نمی‌دهد. درخواست‌ها، اگر راه دیگری باشد، از آن می‌روند. ${isolated(`\`vendor show ${f.vendor}\``)} را ببینید.`,
  },
  vendor_back: {
    en: (f) =>
      f.credential === null
        ? `The vendor “${f.vendor}” works again.`
        : `The vendor “${f.vendor}” takes our credential “${f.credential}” again.`,
    fa: (f) =>
      f.credential === null
        ? `تأمین‌کنندهٔ «${isolated(f.vendor)}» دوباره کار می‌کند.`
        : `تأمین‌کنندهٔ «${isolated(f.vendor)}» کلید «${isolated(f.credential)}» ما را دوباره می‌پذیرد.`,
  },
  staff_day: {
    en: (f) =>
      `${f.operator} has given away $${f.amount} of the $${f.limit} that staff may in a day (staff-day, ${f.period}, UTC): top-ups, corrections, refunds, codes, limits of keys and balances given up. The trail tells each of them.`,
    fa: (f) =>
      persian`${isolated(f.operator)} ${f.amount} دلار از ${f.limit} دلاری را که کارمند در یک روز می‌تواند بدهد داده است (staff-day، ${isolated(f.period)}، UTC): افزایش اعتبار، اصلاح، بازگرداندن، کد شارژ، سقف کلیدها و ماندهٔ حساب‌های بسته. هر یک از آن‌ها در تاریخچه هست.`,
  },
  sample: {
    en: () => 'This is a sample: notices reach you on this channel.',
    fa: () => 'این یک نمونه است: اعلان‌ها از این راه به شما می‌رسند.',
  },
}
