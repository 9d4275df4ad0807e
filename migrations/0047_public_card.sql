-- Strangers who know the Host ID see the room's name, title and logo before they sign in; the host can switch that off.
alter table app_info add column has_public_card boolean not null default true;
