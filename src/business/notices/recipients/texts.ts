import type { PaymentSubject } from '../../../domain/notice'
import { isolated, persian } from '../../../errors/bidi-isolates'
import type { HolderNoticeKind } from '../../../domain/notice'

/** Facts in the text of a notice. */
export interface NoticeFacts {
  readonly account: string
  readonly project: string
  readonly key: string
  readonly limit: string
  readonly amount: string
  readonly period: string
  readonly vendor: string
  readonly model: string
  /** Tier, speed or region that a vendor reports; '' for none. */
  readonly served: string
  /** Which payment is not in our books. */
  readonly payment: PaymentSubject | null
  /** As the trail names them; '' where it is about none. */
  readonly operator: string
  /** Of a vendor; null where it is the vendor itself. */
  readonly credential: string | null
  /** `end`: not all is spent, but what is left was too little for a call. */
  readonly reached: 'most' | 'all' | 'end'
  /** Values that the notice itself carries; '' for those that it does not. */
  of(name: string): string
}

export type Sentences = Readonly<Record<'fa' | 'en', (facts: NoticeFacts) => string>>

/** `2026-11-24 14:30`, as UTC. */
const momentOf = (time: string): string => time.slice(0, 16).replace('T', ' ')

const because = (reason: string): string => (reason === '' ? '' : ` Reason: ${reason}`)
const becauseFa = (reason: string): string => (reason === '' ? '' : ` دلیل: ${isolated(reason)}`)

const notYou = 'If it was not you, sign out everywhere, remove what is not yours, and tell support.'
const notYouFa =
  'اگر شما نبودید، از همهٔ دستگاه‌ها خارج شوید، آنچه از شما نیست را حذف کنید و به پشتیبانی خبر دهید.'
const noneOfYou = 'If none of you meant this, sign out everywhere and tell support.'
const noneOfYouFa =
  'اگر هیچ‌کدام از شما این را نخواسته است، از همهٔ دستگاه‌ها خارج شوید و به پشتیبانی خبر دهید.'
const byOf = (f: NoticeFacts): string => (f.of('by') === '' ? '' : ` (by ${f.of('by')})`)
const byOfFa = (f: NoticeFacts): string =>
  f.of('by') === '' ? '' : ` (به دست ${isolated(f.of('by'))})`
const roleOf = (f: NoticeFacts): string => (f.of('role') === 'owner' ? 'an owner' : 'a member')
const roleOfFa = (f: NoticeFacts): string => (f.of('role') === 'owner' ? 'مالک' : 'عضو')

/** Texts of what only the people of an account are told. */
export const holderTexts: Readonly<Record<HolderNoticeKind | 'verification_submitted', Sentences>> =
  {
    payment_credited: {
      en: (f) => `A payment has arrived: $${f.amount} on the account “${f.account}”.`,
      fa: (f) => persian`پرداختی رسید: ${f.amount} دلار به حساب «${isolated(f.account)}».`,
    },
    payment_refused: {
      en: (f) =>
        `A payment of $${f.amount} for the account “${f.account}” did not come through. What left your card comes back to it by itself within 72 hours.`,
      fa: (f) =>
        persian`پرداخت ${f.amount} دلار برای حساب «${isolated(f.account)}» انجام نشد. آنچه از کارت کم شده باشد تا ۷۲ ساعت خودش برمی‌گردد.`,
    },
    key_made: {
      en: (f) =>
        `A key “${f.key}” was made in the project “${f.project}”. If none of you did so, revoke it.`,
      fa: (f) =>
        persian`کلید «${isolated(f.key)}» در پروژهٔ «${isolated(f.project)}» ساخته شد. اگر هیچ‌کدام از شما نساخته است، باطلش کنید.`,
    },
    key_ending: {
      en: (f) =>
        `The key “${f.key}” (project “${f.project}”) ends at ${momentOf(f.of('until'))} UTC; its calls are refused from then on. Give it a later end, or make another one.`,
      fa: (f) =>
        persian`کلید «${isolated(f.key)}» (پروژهٔ «${isolated(f.project)}») در ${momentOf(f.of('until'))} به وقت UTC تمام می‌شود و از آن پس درخواست‌هایش پذیرفته نمی‌شود. زمانش را دورتر کنید یا کلید تازه‌ای بسازید.`,
    },
    sign_in_new_place: {
      en: (f) =>
        `Somebody signed in with your number at ${momentOf(f.of('at'))} UTC from a place that we did not know: ${f.of('device')} ${f.of('address')}. If it was not you, sign out everywhere and tell support.`,
      fa: (f) =>
        persian`در ${momentOf(f.of('at'))} به وقت UTC با شمارهٔ شما از جایی وارد شدند که نمی‌شناختیم: ${isolated(`${f.of('device')} ${f.of('address')}`.trim())}. اگر شما نبودید، از همهٔ دستگاه‌ها خارج شوید و به پشتیبانی خبر دهید.`,
    },
    phone_moves: {
      en: (f) =>
        `Support changes your mobile number at ${momentOf(f.of('until'))} UTC, and you are signed out everywhere. If you did not ask for it, sign in and keep the number.`,
      fa: (f) =>
        persian`پشتیبانی در ${momentOf(f.of('until'))} به وقت UTC شمارهٔ موبایل شما را عوض می‌کند و همه‌جا خارج می‌شوید. اگر شما نخواسته‌اید، وارد شوید و شماره را نگه دارید.`,
    },
    verification_submitted: {
      en: (f) =>
        `The account “${f.account}” asks to be verified: see \`verification show ${f.of('id')}\`.`,
      fa: (f) =>
        `حساب «${isolated(f.account)}» احراز هویت می‌خواهد: ${isolated(`\`verification show ${f.of('id')}\``)} را ببینید.`,
    },
    verification_approved: {
      en: (f) =>
        `The account “${f.account}” is verified: the limit from before verification is gone.`,
      fa: (f) =>
        `هویت صاحب حساب «${isolated(f.account)}» تأیید شد و سقف پیش از احراز هویت برداشته شد.`,
    },
    verification_rejected: {
      en: (f) =>
        `The verification of the account “${f.account}” was rejected.${because(f.of('reason') === 'mismatch' ? 'the mobile number is not registered to this national code.' : f.of('reason'))} You can send it again.`,
      fa: (f) =>
        `احراز هویت حساب «${isolated(f.account)}» رد شد.${becauseFa(f.of('reason') === 'mismatch' ? 'این شمارهٔ موبایل به نام این کد ملی نیست.' : f.of('reason'))} می‌توانید دوباره بفرستید.`,
    },
    passkey_added: {
      en: (f) =>
        `A passkey “${f.of('passkey')}” was added for you at ${momentOf(f.of('at'))} UTC: it signs in as you. ${notYou}`,
      fa: (f) =>
        persian`در ${momentOf(f.of('at'))} به وقت UTC گذرکلید «${isolated(f.of('passkey'))}» برای شما افزوده شد و با آن می‌توان به نام شما وارد شد. ${notYouFa}`,
    },
    passkey_removed: {
      en: (f) =>
        `Your passkey “${f.of('passkey')}” was removed at ${momentOf(f.of('at'))} UTC. ${notYou}`,
      fa: (f) =>
        persian`در ${momentOf(f.of('at'))} به وقت UTC گذرکلید «${isolated(f.of('passkey'))}» شما حذف شد. ${notYouFa}`,
    },
    email_changed: {
      en: (f) =>
        `Your e-mail address for notices was ${f.of('change') === 'removed' ? 'removed' : 'set'} at ${momentOf(f.of('at'))} UTC. ${notYou}`,
      fa: (f) =>
        persian`در ${momentOf(f.of('at'))} به وقت UTC نشانی ایمیل شما برای اعلان‌ها ${f.of('change') === 'removed' ? 'برداشته' : 'تنظیم'} شد. ${notYouFa}`,
    },
    phone_changed: {
      en: (f) =>
        `Your mobile number was changed at ${momentOf(f.of('at'))} UTC${f.of('phone') === '' ? '' : `, to ${f.of('phone')}`}, and you were signed out everywhere. If you did not ask for it, contact support at once.`,
      fa: (f) =>
        persian`در ${momentOf(f.of('at'))} به وقت UTC شمارهٔ موبایل شما عوض شد${f.of('phone') === '' ? '' : ` (${isolated(f.of('phone'))})`} و همه‌جا خارج شدید. اگر شما نخواسته‌اید، بی‌درنگ به پشتیبانی خبر دهید.`,
    },
    webhook_changed: {
      en: (f) =>
        f.of('change') === 'removed'
          ? `The webhook of the account “${f.account}” (${f.of('host')}) was removed at ${momentOf(f.of('at'))} UTC${byOf(f)}. ${noneOfYou}`
          : `The webhook of the account “${f.account}” was set to ${f.of('host')} at ${momentOf(f.of('at'))} UTC${byOf(f)}. ${noneOfYou}`,
      fa: (f) =>
        f.of('change') === 'removed'
          ? persian`در ${momentOf(f.of('at'))} به وقت UTC وب‌هوک حساب «${isolated(f.account)}» (${isolated(f.of('host'))}) برداشته شد${byOfFa(f)}. ${noneOfYouFa}`
          : persian`در ${momentOf(f.of('at'))} به وقت UTC وب‌هوک حساب «${isolated(f.account)}» روی ${isolated(f.of('host'))} تنظیم شد${byOfFa(f)}. ${noneOfYouFa}`,
    },
    member_joined: {
      en: (f) =>
        `${f.of('who')} joined the account “${f.account}” as ${roleOf(f)} at ${momentOf(f.of('at'))} UTC. ${noneOfYou}`,
      fa: (f) =>
        persian`در ${momentOf(f.of('at'))} به وقت UTC ${isolated(f.of('who'))} با نقش ${roleOfFa(f)} به حساب «${isolated(f.account)}» پیوست. ${noneOfYouFa}`,
    },
    role_changed: {
      en: (f) =>
        `${f.of('who')} is ${roleOf(f)} of the account “${f.account}” since ${momentOf(f.of('at'))} UTC${byOf(f)}. ${noneOfYou}`,
      fa: (f) =>
        persian`از ${momentOf(f.of('at'))} به وقت UTC نقش ${isolated(f.of('who'))} در حساب «${isolated(f.account)}» ${roleOfFa(f)} است${byOfFa(f)}. ${noneOfYouFa}`,
    },
    member_removed: {
      en: (f) =>
        `${f.of('who')} is no longer a member of the account “${f.account}” since ${momentOf(f.of('at'))} UTC${byOf(f)}. ${noneOfYou}`,
      fa: (f) =>
        persian`از ${momentOf(f.of('at'))} به وقت UTC ${isolated(f.of('who'))} دیگر عضو حساب «${isolated(f.account)}» نیست${byOfFa(f)}. ${noneOfYouFa}`,
    },
    invited: {
      en: (f) =>
        `You are asked to join an account, by ${f.of('by')}. Sign in to accept or decline.`,
      fa: (f) =>
        `${isolated(f.of('by'))} شما را به حسابی دعوت کرده است. وارد شوید و بپذیرید یا رد کنید.`,
    },
  }
