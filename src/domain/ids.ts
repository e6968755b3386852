import type { Brand } from './brand'

/** `req_` + 32 characters, sortable by time. */
export type RequestId = Brand<string, 'RequestId'>
/** Small whole numbers, given out by us in order and never reused. */
export type AccountId = Brand<number, 'AccountId'>
export type ProjectId = Brand<number, 'ProjectId'>
export type KeyId = Brand<number, 'KeyId'>

/** Makes the ids of calls; handed in so that tests own them. */
export interface Ids {
  request(): RequestId
}

/** Time-sortable: the hexadecimal digits of a version 7 UUID. */
export const systemIds: Ids = {
  request: () => `req_${Bun.randomUUIDv7('hex').replaceAll('-', '')}` as RequestId,
}
