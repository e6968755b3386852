import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Result } from '../operate'

interface AccountStateProps {
  readonly account: Pick<Result<'GET /accounts/{id}'>, 'status' | 'verified'>
}

/** State of an account (suspended, verified or not), as badges. */
export function AccountState({ account: { status, verified } }: AccountStateProps) {
  const t = useTranslations('accounts')
  if (status === 'suspended')
    return (
      <Badge color="red" variant="light" tt="none">
        {t('suspended')}
      </Badge>
    )
  return (
    <Badge {...(verified ? {} : { color: 'gray' })} variant="light" tt="none">
      {t(verified ? 'verified' : 'unverified')}
    </Badge>
  )
}
