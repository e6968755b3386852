import {
  ActionIcon,
  Button,
  Group,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useLocale, useTranslations } from 'use-intl'
import { prefer } from '../preferences'

/** Switches of language and colours. */
export function PreferencesBar() {
  const t = useTranslations('scheme')
  const locale = useLocale()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = locale === 'fa' ? 'en' : 'fa'
  const language = () => {
    prefer('lang', other)
    location.reload()
  }
  const colours = () => {
    const next = scheme === 'light' ? 'dark' : 'light'
    prefer('scheme', next)
    setColorScheme(next)
  }
  return (
    <Group gap={4} wrap="nowrap">
      <Button variant="subtle" color="gray" size="compact-sm" onClick={language} lang={other}>
        {other === 'fa' ? 'فارسی' : 'English'}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={colours}
        aria-label={t('toggle')}
      >
        {scheme === 'light' ? (
          <IconMoon size={18} stroke={1.6} />
        ) : (
          <IconSun size={18} stroke={1.6} />
        )}
      </ActionIcon>
    </Group>
  )
}
