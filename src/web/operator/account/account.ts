import { queries } from '../../queries'
import type { Result } from '../operate'

export type Account = Result<'GET /accounts/{id}'>
export type Project = Result<'GET /accounts/{id}/projects'>['data'][number]

/** Refetches all that is shown of an account: something of it was changed. */
export const readAccountAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op'] })
