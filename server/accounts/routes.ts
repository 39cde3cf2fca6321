import { api } from "../sessions/operations.ts";
import { consentsRoutes } from "./consents/routes.ts";
import { emailChangeRoutes } from "./email-change/routes.ts";
import { mailPreferencesRoutes } from "./mail-preferences/routes.ts";
import { profileRoutes } from "./profile/routes.ts";
import { recoveryRoutes } from "./recovery/routes.ts";
import { registrationRoutes } from "./registration/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";

export const accountRoutes = api.accounts.router({
  ...registrationRoutes,
  ...signInRoutes,
  ...recoveryRoutes,
  ...emailChangeRoutes,
  ...consentsRoutes,
  ...mailPreferencesRoutes,
  ...profileRoutes,
});
