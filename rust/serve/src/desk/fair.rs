//! A queue that is fair between clients: each has its own line, and the lines take turns.

use std::collections::{HashMap, VecDeque};

/// Things that wait, by who brought them.
#[derive(Debug)]
pub(super) struct Fair<T> {
    lines: HashMap<String, VecDeque<T>>,
    /// Clients with something in their line, in the order of their turns.
    turns: VecDeque<String>,
    count: usize,
}

impl<T> Default for Fair<T> {
    fn default() -> Self {
        Self { lines: HashMap::new(), turns: VecDeque::new(), count: 0 }
    }
}

impl<T> Fair<T> {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn push(&mut self, client: &str, thing: T) {
        let line = self.lines.entry(client.to_owned()).or_default();
        if line.is_empty() {
            self.turns.push_back(client.to_owned());
        }
        line.push_back(thing);
        self.count += 1;
    }

    /// The first of the line whose turn it is; that client's next turn comes after all others'.
    pub(super) fn pop(&mut self) -> Option<T> {
        let client = self.turns.pop_front()?;
        let line = self.lines.get_mut(&client)?;
        let thing = line.pop_front()?;
        self.count -= 1;
        if line.is_empty() {
            self.lines.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        Some(thing)
    }

    /// Takes out the first that fits, wherever it waits.
    pub(super) fn remove(&mut self, fits: impl Fn(&T) -> bool) -> Option<T> {
        let (client, place) = self.lines.iter().find_map(|(client, line)| {
            line.iter().position(&fits).map(|place| (client.clone(), place))
        })?;
        let line = self.lines.get_mut(&client)?;
        let thing = line.remove(place)?;
        self.count -= 1;
        if line.is_empty() {
            self.lines.remove(&client);
            self.turns.retain(|turn| *turn != client);
        }
        Some(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(queue: &mut Fair<u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn a_client_with_much_does_not_keep_the_others_waiting() {
        let mut queue = Fair::default();
        for thing in [1, 2, 3] {
            queue.push("a", thing);
        }
        queue.push("b", 10);
        queue.push("c", 20);
        assert_eq!(order(&mut queue), [1, 10, 20, 2, 3]);
    }

    #[test]
    fn one_client_alone_is_served_in_its_order() {
        let mut queue = Fair::default();
        for thing in [1, 2, 3] {
            queue.push("a", thing);
        }
        assert_eq!(queue.len(), 3);
        assert_eq!(order(&mut queue), [1, 2, 3]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn what_is_taken_out_leaves_the_turns_as_they_are() {
        let mut queue = Fair::default();
        queue.push("a", 1);
        queue.push("b", 2);
        queue.push("b", 3);
        assert_eq!(queue.remove(|thing| *thing == 1), Some(1));
        assert_eq!(queue.remove(|thing| *thing == 1), None);
        queue.push("a", 4);
        assert_eq!(order(&mut queue), [2, 4, 3]);
    }
}
