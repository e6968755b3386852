import type { Brand } from './brand'
import type { Ms } from './clock'

/** Number of one life of a process on a shared database. */
export type NodeId = number

/** `req_` + 32 characters, sortable by time. */
export type RequestId = Brand<string, 'RequestId'>
/** Small whole numbers, given out by us in order and never reused. */
export type AccountId = Brand<number, 'AccountId'>
export type ProjectId = Brand<number, 'ProjectId'>
export type KeyId = Brand<number, 'KeyId'>
export type PersonId = Brand<number, 'PersonId'>
/** Group of accounts with prices and limits of their own. */
export type GroupId = Brand<number, 'GroupId'>
export type OperatorId = Brand<number, 'OperatorId'>
export type OperatorKeyId = Brand<number, 'OperatorKeyId'>
export type InvitationId = Brand<number, 'InvitationId'>
/** `ntc_` + 32 characters, sortable by time: the same however often a notice is sent. */
export type NoticeId = Brand<string, 'NoticeId'>
/** `pay_` + 32 characters, sortable by time. */
export type PaymentId = Brand<string, 'PaymentId'>
/** A redeem code, by its number: never the code itself. */
export type RedeemCodeId = Brand<number, 'RedeemCodeId'>
/** `vid_` + 32 characters, sortable by time. */
export type VideoId = Brand<string, 'VideoId'>

/** Makes the ids of calls; handed in so that tests own them. */
export interface Ids {
  request(): RequestId
}

/** Time-sortable: the hexadecimal digits of a version 7 UUID. */
export const systemIds: Ids = {
  request: () => `req_${digits()}` as RequestId,
}

/** Before every id of a call that came at this moment or later, and behind all earlier ones. */
export const firstRequestIdAt = (time: Ms): string => `req_${time.toString(16).padStart(12, '0')}`

/** Before every id of a notice made at this moment or later, and behind all earlier ones. */
export const firstNoticeIdAt = (time: Ms): string => `ntc_${time.toString(16).padStart(12, '0')}`

/** Ids that need no injection in tests: few are made. */
export const systemNoticeId = (): NoticeId => `ntc_${digits()}` as NoticeId
/** A fresh payment id. */
export const systemPaymentId = (): PaymentId => `pay_${digits()}` as PaymentId

/** A fresh video id. */
export const systemVideoId = (): VideoId => `vid_${digits()}` as VideoId

const digits = (): string => Bun.randomUUIDv7('buffer').toString('hex')
