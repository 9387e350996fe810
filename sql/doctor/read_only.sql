-- read_only: whether this server takes writes; on a replica nothing is charged, minted or loaded.
select 'wrong' as severity, 'This server is in recovery: it is a replica, which takes no writes.' as what,
  E'-- Put the primary into DATABASE_URL. Where there is none any more, a superuser makes this server the primary:\nselect pg_promote();' as fix
where pg_is_in_recovery()
