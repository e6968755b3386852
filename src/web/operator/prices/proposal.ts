import type { Result } from '../operate'

export type Proposal = Result<'GET /price-proposals'>['data'][number]
