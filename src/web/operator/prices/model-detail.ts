import type { Result } from '../operate'

export type ModelDetail = Result<'GET /models/{id}'>
export type ModelRoute = ModelDetail['routes'][number]
