import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../client'
import { PasskeyList } from '../../parts/passkey-list'
import { door } from '../operate'
import { operatorPasskeys } from '../passkeys'
import { PasswordField } from './password-field'

/** Passkeys of the operator who is signed in. */
export function OwnPasskeys() {
  const t = useTranslations('operatorPasskeys')
  const [password, setPassword] = useState('')
  const status = useQuery({ queryKey: ['operator-status'], queryFn: () => ask(door.status.get()) })
  return (
    <PasskeyList
      book={operatorPasskeys(password)}
      lead={t('lead')}
      works={status.data?.passkeys}
      asked={
        <PasswordField
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      }
    />
  )
}
