import { Stack, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Me } from '../me'
import { PasskeysSection } from '../parts/passkeys-section'
import { PhoneSection } from '../parts/phone-section'
import { SessionsSection } from '../parts/sessions-section'
import { useTitle } from '../title'

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
