import { useQuery } from '@tanstack/react-query'
import { operate, type Result } from '../operate'

/** Step of the set-up checklist. */
export type Step = Result<'GET /checklist'>['data'][number]

/** Checklist from a fresh installation to customers who pay. */
export const useSteps = () =>
  useQuery({ queryKey: ['op', 'checklist'], queryFn: () => operate('GET /checklist', {}) })
