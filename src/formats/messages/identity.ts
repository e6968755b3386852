import type { ReplyIdentity } from '../chat/wire'

/** The id of a message is that of its request by another name, so that either finds the record. */
export const messageId = ({ id }: Pick<ReplyIdentity, 'id'>): string =>
  `msg_${id.slice(id.indexOf('_') + 1)}`
