import { api, signedIn } from "../routes.ts";
import { changePhoto } from "./commands.ts";

const { uploads } = api;

export const uploadRoutes = uploads.router({
  photo: uploads.photo.handler(async ({ context: request, input }) => {
    const session = signedIn(request, "sign_in_to_upload");
    await request.context.rateLimits.spend("upload", { person: session.viewer.id });
    const photo = await changePhoto(request.context, session.viewer, input.file);
    session.avatar_url = photo.avatar_url;
    return photo;
  }),
});
