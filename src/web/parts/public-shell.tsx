import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { serviceName } from '../title'
import { Mark } from './mark'
import { PreferencesBar } from './preferences-bar'

/** Frame of the public pages. */
export function PublicShell({ children }: { readonly children: ReactNode }) {
  const t = useTranslations()
  return (
    <>
      <a href="#main" className="skip">
        {t('nav.skip')}
      </a>
      <Group component="header" className="public-head" justify="space-between" wrap="nowrap">
        <a href="/" className="public-name" aria-label={`${serviceName}: ${t('signIn.home')}`}>
          <Mark />
          <Text fw={700} size="lg" component="span">
            {serviceName}
          </Text>
        </a>
        <Group gap="xs" wrap="nowrap">
          <PreferencesBar />
          <Button component={Link} href="/" size="xs">
            {t('signIn.submit')}
          </Button>
        </Group>
      </Group>
      <main id="main" tabIndex={-1} className="public-main">
        <div className="page">{children}</div>
      </main>
    </>
  )
}
