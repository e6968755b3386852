import { useLocale } from 'use-intl'

/** Dates and amounts as receipts on paper have them. */
export function useReceiptNumbers() {
  const isPersian = useLocale() === 'fa'
  return {
    /** With its year and seconds, on the clock of whoever reads. */
    fullMoment: (ms: number): string =>
      new Intl.DateTimeFormat(isPersian ? 'fa-IR-u-ca-persian' : 'en-GB', {
        dateStyle: 'long',
        timeStyle: 'medium',
      }).format(ms),
    /** @param minor in the smallest unit of the currency */
    money(minor: number, currency: string): string {
      const form = new Intl.NumberFormat(isPersian ? 'fa-IR' : 'en', {
        style: 'currency',
        currency,
      })
      return form.format(minor / 10 ** (form.resolvedOptions().maximumFractionDigits ?? 0))
    },
  }
}
