import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import type { Result } from '../operate'

export type GroupPage = Result<'GET /groups/{id}'>
export type GroupRule = GroupPage['rules'][number]

const scopeTexts = {
  type: 'typeOf',
  owner: 'ownerOf',
  vendor: 'vendorOf',
  model: 'modelOf',
} as const

/** Scope of a group's price rule, in words. */
export function useScope(): (rule: Pick<GroupRule, 'kind' | 'name'>) => string {
  const t = useTranslations('groupRules')
  return ({ kind, name }) =>
    kind === 'everything' ? t('everything') : t(scopeTexts[kind], { name: `⁨${name}⁩` })
}

/** Terms of a group's price rule (markup, fee, digits), in words. */
export function useTerms(): (rule: GroupRule) => string {
  const t = useTranslations('groupRules')
  const { digits, usd } = useNumbers()
  return ({ markup_percent: markup, on, fee_per_call_usd: fee, digits: places, basis }) => {
    const percent = digits(markup.replace('-', ''))
    const isSale = on === 'sale'
    const price =
      Number(markup) === 0
        ? t(isSale ? 'asSale' : 'asCost')
        : markup.startsWith('-')
          ? t(isSale ? 'belowSale' : 'belowCost', { percent })
          : t(isSale ? 'aboveSale' : 'aboveCost', { percent })
    return [
      price,
      ...(fee === null ? [] : [t('feeOf', { amount: usd(fee, 9) })]),
      ...(places === null ? [] : [t('digitsOf', { count: places })]),
      ...(basis === 'first' ? [t('firstRoute')] : []),
    ].join(' · ')
  }
}
