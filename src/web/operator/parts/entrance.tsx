import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Mark } from '../../parts/mark'
import { PreferencesBar } from '../../parts/preferences-bar'
import { serviceName } from '../../title'
import { Soft } from '../../parts/panel'

/** Card around the sign-in pages of the console. */
export function Entrance({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('operatorEntrance')
  return (
    <>
      <div className="tiles" aria-hidden="true" />
      <Group justify="flex-end" p="sm" component="header">
        <PreferencesBar />
      </Group>
      <main className="entrance">
        <div className="card entrance-card">
          <Stack gap="lg">
            <Group gap="sm" wrap="nowrap">
              <Mark size={40} />
              <div>
                <Text fw={700} size="lg" lh={1.2}>
                  {serviceName}
                </Text>
                <Soft>{t('tagline')}</Soft>
              </div>
            </Group>
            {children}
          </Stack>
        </div>
      </main>
    </>
  )
}
