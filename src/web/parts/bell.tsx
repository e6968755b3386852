import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../numbers'

const maxShown = 99

/** Link to the notices, with the number of unseen ones. */
export function Bell({ unread }: { readonly unread: number }) {
  const t = useTranslations('notices')
  const { count } = useNumbers()
  return (
    <ActionIcon
      component={Link}
      href="/notices"
      variant="subtle"
      color="gray"
      size="lg"
      className="bell"
      aria-label={unread === 0 ? t('bell') : `${t('bell')}: ${t('unread', { count: unread })}`}
    >
      <IconBell size={18} stroke={1.6} />
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread > maxShown ? `${count(maxShown)}+` : count(unread)}
        </span>
      )}
    </ActionIcon>
  )
}
