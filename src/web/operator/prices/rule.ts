import type { Result } from '../operate'

export type Rule = Result<'GET /price-rules'>['data'][number]
