import type { PaymentSubject } from '../domain/notice'
import { isolated, persian } from '../errors/isolates'
import type { HolderNoticeKind } from '../domain/notice'

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
    invited: {
      en: (f) =>
        `You are asked to join an account, by ${f.of('by')}. Sign in to accept or decline.`,
      fa: (f) =>
        `${isolated(f.of('by'))} شما را به حسابی دعوت کرده است. وارد شوید و بپذیرید یا رد کنید.`,
    },
  }
