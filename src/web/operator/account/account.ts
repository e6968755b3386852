import { queries } from '../../queries'
import type { Result } from '../operate'

export type Account = Result<'GET /accounts/{id}'>
export type Project = Result<'GET /accounts/{id}/projects'>['data'][number]

/** Something of an account was changed: all that is shown of it is asked for anew. */
export const readAccountAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op'] })
