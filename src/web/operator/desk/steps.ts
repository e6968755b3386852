import { useQuery } from '@tanstack/react-query'
import { operate, type Result } from '../operate'

export type Step = Result<'GET /checklist'>['data'][number]

/** Steps from a fresh installation to customers who pay. */
export const useSteps = () =>
  useQuery({ queryKey: ['op', 'checklist'], queryFn: () => operate('GET /checklist', {}) })
