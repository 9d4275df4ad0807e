#!/bin/sh
# Makes the secrets of compose.yaml, a file each, in the folder secrets beside this file. Keeps those that are there, so it can be
# run again. Containers read the files as users of their own, so everyone may; the folder is open to its owner alone.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets

random() { od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n'; }
# The file gets its name once it is whole.
put() {
	[ -s "secrets/$1" ] && return
	printf '%s\n' "$2" >secrets/.new
	chmod 444 secrets/.new
	mv secrets/.new "secrets/$1"
}
ask() {
	[ -s "secrets/$1" ] && return
	printf '%s: ' "$2" >&2
	IFS= read -r answer
	put "$1" "${answer:?was left empty; run this again}"
}

put secret_key "$(random)"
put postgres_password "$(random)"
put database_url "postgresql://parley:$(cat secrets/postgres_password)@postgres:5432/parley"
put redis.conf "requirepass $(random)"
put redis_url "redis://:$(cut -d ' ' -f 2 secrets/redis.conf)@redis:6379"
put metrics_token "$(random)"
put backup_passphrase "$(random)"
ask zoom_client_secret "Client secret of the app at Zoom"
ask zoom_webhook_secret "Secret token of its event subscription"
