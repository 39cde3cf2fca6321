import { rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { changePhoto } from "./commands.ts";

const { uploads } = api;

export const uploadRoutes = uploads.router({
  photo: uploads.photo
    .use(requireSignIn("sign_in_to_upload"))
    .use(rateLimit("upload"))
    .handler(async ({ context: { request, session, viewer }, input }) => {
      const photo = await changePhoto(request.context, viewer, input.file);
      session.avatar_url = photo.avatar_url;
      return photo;
    }),
});
