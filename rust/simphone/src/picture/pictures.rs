//! Images. What they show is not in the tree; what they are for can be guessed.

use super::canvas::Rect;
use super::kind::{Place, has_word, id_name, labelled_below};
use super::palette::{ON_PRIMARY_CONTAINER, PRIMARY};
use super::scene::{Scene, Spot};
use super::symbol;
use clawperator_runtime::screen::{Flags, Node};
use material_icons::Icon;

impl<'a> Scene<'a, '_> {
    /// A large one is a picture nobody has; a small one is an icon, or the mark of what it begins.
    pub(super) fn picture(&mut self, node: &Node<'_>, area: Rect, spot: &Spot) {
        let label = node.label();
        let known = symbol::for_words(label).or_else(|| symbol::for_words(id_name(node)));
        let taps = node.has(Flags::CLICKABLE);
        let side = area.width().min(area.height());
        let small = area.width().max(area.height()) <= self.brush.dp(76.0);
        let person = taps && has_word(label, &["avatar", "profile", "signed in", "portrait"]);
        match (known, self.topic(area, spot)) {
            (Some(icon), _) if !small && taps => self.plain_icon(icon, area, node, spot),
            _ if !small => self.brush.placeholder(label, area, Icon::Landscape),
            (_, Some(topic)) if !taps => {
                let label = labelled_below(&topic).map_or(label, |title| title.label());
                if let (Place::Tile, Some(icon)) = (spot.place, symbol::for_words(label)) {
                    return self.plain_icon(icon, area, node, spot);
                }
                let side = side.min(self.brush.dp(40.0));
                self.brush.disc(label, area.x(), area.y(), side, spot.enabled);
            }
            _ if person || (spot.place == Place::Wallpaper && node.has_label()) => {
                let side = side.min(self.brush.dp(if person { 40.0 } else { 56.0 }));
                self.brush.disc(label, area.x(), area.y(), side, spot.enabled);
            }
            (icon, _) => {
                let icon = icon.unwrap_or(symbol::named(Icon::Image));
                self.plain_icon(icon, area, node, spot);
            }
        }
    }

    /// The row or card that an image begins; what stands at its end is an arrow or an action.
    fn topic(&self, area: Rect, spot: &Spot) -> Option<Node<'a>> {
        let marked = matches!(spot.place, Place::Row | Place::Card | Place::Tile);
        let group = spot.group.filter(|_| marked)?;
        self.screen.node(group).filter(|group| area.x() < Rect::of(group.bounds()).x())
    }

    /// An icon without a disc; one that is checked is filled with colour.
    fn plain_icon(&mut self, icon: char, area: Rect, node: &Node<'_>, spot: &Spot) {
        let checked = node.has(Flags::CHECKED) || node.has(Flags::SELECTED);
        let filled = [
            (Icon::StarBorder, Icon::Star),
            (Icon::FavoriteBorder, Icon::Favorite),
            (Icon::BookmarkBorder, Icon::Bookmark),
        ];
        let filled = filled.iter().find(|(empty, _)| symbol::named(*empty) == icon);
        let icon = filled.filter(|_| checked).map_or(icon, |(_, full)| symbol::named(*full));
        let icon = match spot.place {
            Place::System if icon == symbol::named(Icon::Home) => {
                symbol::named(Icon::PanoramaFishEye)
            }
            _ => icon,
        };
        // In bars there is air around icons.
        let room = if spot.place == Place::System { 0.7 } else { 1.0 };
        let side = self.brush.dp(24.0).min(area.width()).min(area.height() * room);
        let color = match spot.place {
            _ if checked => PRIMARY,
            Place::Tab if spot.ink == PRIMARY => ON_PRIMARY_CONTAINER,
            Place::Toolbar | Place::Tile | Place::Button => spot.ink,
            Place::Wallpaper | Place::System => spot.ink,
            _ => spot.soft,
        };
        self.brush.icon(icon, area.x(), area.y(), side, color.when(spot.enabled));
    }
}
