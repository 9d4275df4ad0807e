-- The address of the room's meeting for Zoom's own app. Encrypted: it holds the passcode in a form of Zoom's.
alter table rooms add column join_url_ciphertext text;
