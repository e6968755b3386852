import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { queries } from '../../queries'
import { operate, type Result } from '../operate'

/** A vendor as the console knows it, without its keys. */
export type Vendor = Result<'GET /vendors/{name}'>
export type VendorKey = Vendor['credentials'][number]
export type VendorRoute = Result<'GET /vendors/{name}/routes'>['data'][number]
export type Trial = Result<'POST /vendors/{name}/test'>['data'][number]

/** Whether a vendor is part of the program: it is only switched on and off. */
export const isBuiltIn = ({ source }: Pick<Vendor, 'source'>): boolean => source === 'builtin'

/** Refetches vendors: one was changed. */
export const readVendorsAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op'] })

/** Kinds of vendors that this build speaks with. */
export const useVendorKinds = () =>
  useQuery({
    queryKey: ['op', 'vendor-kinds'],
    queryFn: () => operate('GET /vendor-kinds', {}),
    staleTime: Infinity,
  })

/** Time of the last free check of a vendor's credentials; null where there was none. */
export const lastCheckOf = ({ credentials }: Pick<Vendor, 'credentials'>): number | null => {
  const times = credentials.flatMap(({ checked }) => (checked === null ? [] : Date.parse(checked)))
  return times.length === 0 ? null : Math.max(...times)
}

/** Waits, balances and moments of vendors as people read them. */
export function useVendorWords() {
  const t = useTranslations('vendors')
  const { count, moment, usd, decimal } = useNumbers()
  return {
    ms: (value: number | null): string =>
      value === null ? '–' : t('ms', { count: count(Math.round(value)) }),
    balance: ({ amount, currency }: NonNullable<Vendor['balance']>): string =>
      currency === 'USD' ? usd(amount) : `${decimal(amount)} ${currency}`,
    moment: (text: string | null): string => (text === null ? '–' : moment(Date.parse(text))),
    /** Until when other routes are tried before; a check may be what ends it. */
    cooling: (until: string): string =>
      Number.isNaN(Date.parse(until))
        ? t('coolingCheck')
        : t('coolingUntil', { when: moment(Date.parse(until)) }),
  }
}

/** Address of a vendor's page in the console. */
export const vendorPath = (name: string): string => `/operator/vendors/${encodeURIComponent(name)}`
