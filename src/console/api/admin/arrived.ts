import type { Inbound } from '../../../gateway/http/inbound'

export const adminPrefix = '/admin/v1'

/** Facts of a request that came in. */
export type Arrived = Pick<
  Inbound,
  'address' | 'requestId' | 'method' | 'path' | 'links' | 'exemptFromIdleTimeout' | 'signal'
>
