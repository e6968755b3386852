import type { Ms } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import { nanoUsd } from '../../domain/money'
import type { Notice } from '../../domain/notice'

/** A notice about nothing, for trying channels. */
export const sampleNotice = (id: NoticeId, created: Ms): Notice => ({
  id,
  kind: 'sample',
  subject: { account: null, project: null, key: null },
  threshold: 80,
  limit: nanoUsd(5_000_000_000),
  amount: nanoUsd(4_000_000_000),
  period: '',
  created,
})
