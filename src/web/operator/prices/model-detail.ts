import type { Result } from '../operate'
import { queries } from '../../queries'

export type ModelDetail = Result<'GET /models/{id}'>
export type ModelRoute = ModelDetail['routes'][number]

/** Address of a model's page in the console: its id may hold slashes. */
export const modelDeskPath = (id: string): string =>
  `/operator/models/${id.split('/').map(encodeURIComponent).join('/')}`

/** Refetches models and prices: some were changed. */
export const readPricesAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op'] })

export type Proposal = Result<'GET /price-proposals'>['data'][number]

export type Rule = Result<'GET /price-rules'>['data'][number]
