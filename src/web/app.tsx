import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from './client'
import { Mark } from './parts/mark'
import { PreferencesBar } from './parts/preferences-bar'

/** The first page, for whoever is not signed in. */
export function App() {
  const t = useTranslations()
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  return (
    <>
      <Group justify="flex-end" p="sm" component="header">
        <PreferencesBar />
      </Group>
      <main className="entrance">
        <div className="card entrance-card">
          <Stack gap="md">
            <Mark size={40} />
            <Title order={1}>{service.data?.name ?? t('app.name')}</Title>
            <Text className="soft">{t('app.tagline')}</Text>
            <Anchor href="/docs">{t('nav.reference')}</Anchor>
          </Stack>
        </div>
      </main>
    </>
  )
}
