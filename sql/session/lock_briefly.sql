-- lock_briefly: gives up after 20 ms on a table that somebody reads, so that callers never wait longer for a switch.
set local lock_timeout = '20ms'
