import type { Clock } from '../../../domain/clock'
import { DeliveryFailed } from '../channel'
import { noticeBody } from '../notice-body'
import { signedHeaders } from '../signature'
import { Undeliverable, type Deliver } from './outbox'
import type { HolderDelivery } from './contract'
import { holderText } from './titles'
import { isFixed, topicOf } from './topics'

/** Result of a delivery on one channel. */
export type DeliveryResult = 'taken' | { readonly error: string; readonly isFinal: boolean }

/** A notice in the words of its reader. */
export interface RenderedNotice {
  readonly id: string
  readonly language: 'fa' | 'en'
  readonly title: string
  readonly text: string
  /** Nobody can switch it off. */
  readonly isFixed: boolean
}

const letterOf = ({ notice, language, way }: HolderDelivery): RenderedNotice => {
  const { title, text } = holderText(notice)
  const topic = topicOf(notice)
  return {
    id: notice.id,
    language,
    title: title[language],
    text: text[language],
    isFixed: topic !== null && isFixed(way, topic),
  }
}

/** @throws DeliveryFailed */
function checked(taken: DeliveryResult): void {
  if (taken === 'taken') return
  throw taken.isFinal ? new Undeliverable(taken.error) : new DeliveryFailed(taken.error)
}

/**
 * Delivers notices by SMS.
 * @param send to a phone: the title alone, since each further part of an SMS costs as much
 */
export const carryBySms =
  (send: (phone: string, letter: RenderedNotice) => Promise<DeliveryResult>): Deliver =>
  async (delivery) => {
    if (delivery.phone === null) throw new Undeliverable('there is no number any more')
    checked(await send(delivery.phone, letterOf(delivery)))
  }

export const carryByEmail =
  (send: (email: string, letter: RenderedNotice) => Promise<DeliveryResult>): Deliver =>
  async (delivery) => {
    if (delivery.email === null) throw new Undeliverable('there is no address any more')
    checked(await send(delivery.email, letterOf(delivery)))
  }

const timeoutMs = 10_000

/** Delivers notices to an account's webhook. @param post to a public address; its status */
export const carryByWebhook =
  (
    post: (
      url: string,
      sent: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
    ) => Promise<number | DeliveryResult>,
    clock: Clock,
  ): Deliver =>
  async ({ notice, webhook }, signal) => {
    if (webhook === null) throw new Undeliverable('there is no webhook any more')
    const body = JSON.stringify(noticeBody(notice))
    const headers = signedHeaders(webhook.secret, notice.id, body, clock.now())
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const answered = await post(webhook.url, { headers, body, signal: until })
    if (typeof answered !== 'number') return checked(answered)
    if (answered < 200 || answered > 299) throw new DeliveryFailed(`it answered ${answered}`)
  }
