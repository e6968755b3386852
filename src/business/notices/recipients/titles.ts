import type { Notice, NoticeKind } from '../../../domain/notice'
import { isolated, persian } from '../../../errors/bidi-isolates'
import type { NoticeFacts, Sentences } from './texts'
import { noticeText, sentenceOf, type NoticeText } from '../notice-texts'

const shareOf = ({ reached }: NoticeFacts): string =>
  reached === 'most' ? '80 % of' : 'the end of'
const shareFa = ({ reached }: NoticeFacts): string => (reached === 'most' ? '۸۰٪' : 'پایان')

/** One line each: the subject of a mail, the first line in the app, the whole of an SMS. */
const titles: Partial<Record<NoticeKind, Sentences>> = {
  key_spend_limit: {
    en: (f) => `Key “${f.key}”: ${shareOf(f)} its limit of $${f.limit}`,
    fa: (f) => persian`کلید «${isolated(f.key)}» به ${shareFa(f)} سقف ${f.limit} دلاری رسید`,
  },
  project_monthly_budget: {
    en: (f) => `Project “${f.project}”: ${shareOf(f)} its month’s $${f.limit}`,
    fa: (f) =>
      persian`پروژهٔ «${isolated(f.project)}» به ${shareFa(f)} بودجهٔ ماهانهٔ ${f.limit} دلاری رسید`,
  },
  account_daily_cap: {
    en: (f) => `Account at ${shareOf(f)} its daily cap of $${f.limit}`,
    fa: (f) => persian`حساب به ${shareFa(f)} سقف روزانهٔ ${f.limit} دلاری رسید`,
  },
  preverification_ceiling: {
    en: (f) => `Verify who you are: ${shareOf(f)} the first $${f.limit} is reached`,
    fa: (f) =>
      f.reached === 'most'
        ? persian`۸۰٪ سقف پیش از احراز هویت (${f.limit} دلار) خرج شد`
        : persian`سقف پیش از احراز هویت (${f.limit} دلار) پر شد`,
  },
  balance_floor: {
    en: (f) => `Balance is low: $${f.amount}${lasts(f.of('days'))}`,
    fa: (f) => persian`موجودی کم است: ${f.amount} دلار${lastsFa(f.of('days'))}`,
  },
  payment_credited: {
    en: (f) => `Payment arrived: $${f.amount}`,
    fa: (f) => persian`پرداخت رسید: ${f.amount} دلار`,
  },
  payment_refused: {
    en: (f) => `Payment not made: $${f.amount}`,
    fa: (f) => persian`پرداخت انجام نشد: ${f.amount} دلار`,
  },
  key_made: {
    en: (f) => `A key was made: “${f.key}”`,
    fa: (f) => persian`کلید تازه‌ای ساخته شد: «${isolated(f.key)}»`,
  },
  key_ending: {
    en: (f) => `Key “${f.key}” ends within 7 days`,
    fa: (f) => persian`کلید «${isolated(f.key)}» تا ۷ روز دیگر تمام می‌شود`,
  },
  sign_in_new_place: {
    en: () => 'Signed in from a new place',
    fa: () => 'ورود از جایی تازه',
  },
  phone_moves: {
    en: () => 'Support changes your number in a day. Not you? Sign in and keep it',
    fa: () =>
      'پشتیبانی تا یک روز دیگر شمارهٔ شما را عوض می‌کند. اگر نخواسته‌اید، وارد شوید و نگهش دارید',
  },
  verification_approved: {
    en: () => 'Your identity is verified',
    fa: () => 'هویت شما تأیید شد',
  },
  verification_rejected: {
    en: () => 'Your verification was rejected',
    fa: () => 'احراز هویت شما رد شد',
  },
  passkey_added: {
    en: () => 'A passkey was added for you. Not you? Sign out everywhere',
    fa: () => 'گذرکلیدی برای شما افزوده شد. اگر شما نبودید، از همه‌جا خارج شوید',
  },
  passkey_removed: {
    en: () => 'A passkey of yours was removed',
    fa: () => 'یکی از گذرکلیدهای شما حذف شد',
  },
  email_changed: {
    en: (f) =>
      `Your e-mail address was ${f.of('change') === 'removed' ? 'removed' : 'changed'}. Not you? Sign out everywhere`,
    fa: (f) =>
      `نشانی ایمیل شما ${f.of('change') === 'removed' ? 'برداشته' : 'عوض'} شد. اگر شما نبودید، از همه‌جا خارج شوید`,
  },
  phone_changed: {
    en: () => 'Your mobile number was changed. Not you? Contact support',
    fa: () => 'شمارهٔ موبایل شما عوض شد. اگر شما نبودید، به پشتیبانی خبر دهید',
  },
  webhook_changed: {
    en: (f) =>
      `The webhook of your account was ${f.of('change') === 'removed' ? 'removed' : 'changed'}`,
    fa: (f) => `وب‌هوک حساب شما ${f.of('change') === 'removed' ? 'برداشته' : 'عوض'} شد`,
  },
  member_joined: {
    en: (f) => `${f.of('who')} joined your account`,
    fa: (f) => persian`${isolated(f.of('who'))} به حساب شما پیوست`,
  },
  role_changed: {
    en: (f) => `Role changed: ${f.of('who')} is ${f.of('role') === 'owner' ? 'owner' : 'member'}`,
    fa: (f) =>
      persian`نقش ${isolated(f.of('who'))} در حساب عوض شد: ${f.of('role') === 'owner' ? 'مالک' : 'عضو'}`,
  },
  member_removed: {
    en: (f) => `${f.of('who')} left or was removed from the account`,
    fa: (f) => persian`${isolated(f.of('who'))} دیگر عضو حساب نیست`,
  },
  invited: {
    en: () => 'You are asked to join an account',
    fa: () => 'به حسابی دعوت شده‌اید',
  },
}

const lasts = (days: string): string =>
  days === '' ? '' : days === '1' ? ', one day at this pace' : `, ${days} days at this pace`
const lastsFa = (days: string): string =>
  days === '' ? '' : persian`؛ با این آهنگ تا ${days} روز دیگر`

const plain: Sentences = { en: () => 'Notice', fa: () => 'اعلان' }

/** Title of a notice and advice, for a person. */
interface HolderText {
  readonly title: NoticeText
  readonly text: NoticeText
}

export const holderText = (notice: Notice): HolderText => ({
  title: sentenceOf(notice, titles[notice.kind] ?? plain),
  text: noticeText(notice),
})
