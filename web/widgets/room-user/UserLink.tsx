import { Link } from 'react-router'
import { PersonText } from '../../ui/PersonText.tsx'
import classes from './UserLink.module.css'
import { useUserPanelLink } from './user-param.ts'

type UserLinkProps = { id: string; name: string; className?: string; wraps?: boolean }

/** Opens this user's panel beside the page. */
export function UserLink({ id, name, className, wraps }: UserLinkProps) {
  const linkTo = useUserPanelLink()
  return (
    <Link {...linkTo(id)} className={classes.link}>
      <PersonText text={name} className={className} wraps={wraps} />
    </Link>
  )
}
