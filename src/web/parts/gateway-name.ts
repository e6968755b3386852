import { useTranslations } from 'use-intl'

const names = { zarinpal: 'zarinpal', zibal: 'zibal', stripe: 'stripe', bank: 'bank' } as const

/** A gateway as people call it. */
export function useGatewayName(): (kind: keyof typeof names) => string {
  const t = useTranslations('credit')
  return (kind) => t(names[kind])
}
