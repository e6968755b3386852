import { Stack, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useQuery } from '@tanstack/react-query'
import type { Me } from '../me'
import { PhoneSection } from '../parts/account/phone-section'
import { SessionsSection } from '../parts/account/sessions-section'
import { useTitle } from '../title'
import { api, ask } from '../client'
import { makePasskey } from '../passkeys'
import { Failed } from '../parts/failed'
import { PasskeyList, type PasskeyBook } from '../parts/account/passkey-list'

/** Page of a person's sign-in: phone, passkeys, sessions. */
export function Settings({ me }: { readonly me: Me }) {
  const nav = useTranslations('nav')
  useTitle(nav('settings'))
  return (
    <Stack gap="lg">
      <Title order={1}>{nav('settings')}</Title>
      <PhoneSection me={me} />
      <PasskeysSection />
      <SessionsSection />
    </Stack>
  )
}

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
