import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { makePasskey } from '../passkeys'
import { Failed } from './failed'
import { PasskeyList, type PasskeyBook } from './passkey-list'

const book: PasskeyBook = {
  queryKey: ['passkeys'],
  sessionsKey: ['sessions'],
  list: () => ask(api.passkeys.get()),
  make: makePasskey,
  rename: (id, name) => ask(api.passkeys({ id }).patch({ name })),
  remove: (id) => ask(api.passkeys({ id }).delete()),
}

/** Passkeys of a customer who is signed in: the second way in. */
export function PasskeysSection() {
  const t = useTranslations('passkeys')
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  return (
    <>
      <Failed error={service.error} />
      <PasskeyList book={book} lead={t('lead')} works={service.data?.sign_in.passkeys} />
    </>
  )
}
